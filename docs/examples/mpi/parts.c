/*
 * One network over the processes of an MPI job.
 *
 *     mpirun -n P parts SYSTEM N LOAD CYCLES [FOLDER EVERY [RANK CYCLE]]
 *
 * SYSTEM is deflection, separate-buffers or shared-buffer. Each process simulates a part of the
 * N-cube, for a warm-up of CYCLES / 4 and then CYCLES cycles. With a FOLDER, that all processes
 * see, it saves a snapshot every EVERY cycles, and a later call with as many processes goes on from
 * the last one. Process 0 prints the result: the same to the last bit for any number of processes,
 * and however often the job was ended. It tells on stderr what the exchange has cost. With RANK and
 * CYCLE, that process kills itself at that cycle, to try this out.
 */
#include <cubenet.h>
#include <cubenet/experimental/part.h>
#include <mpi.h>

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1, UNDER_WAY = 3, PATH = 1024 };

static void fail(const char *what)
{
    fprintf(stderr, "parts: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void must(cn_status status)
{
    if (status < 0)
        fail(cn_last_error());
}

static void must_have(int worked, const char *what)
{
    if (!worked)
        fail(what);
}

/* ---- the exchange ---- */

/* An exchange that has begun: of each neighbour what is received, then of each what is sent. */
typedef struct slot {
    uint64_t number;
    size_t count; /* neighbours; 0: the slot is free */
    MPI_Request *request;
    MPI_Status *status;
    size_t room;
} slot;

static slot *find(slot slots[], size_t count, uint64_t number)
{
    for (int i = 0; i < UNDER_WAY; i++)
        if (slots[i].count == count && (count == 0 || slots[i].number == number))
            return &slots[i];
    return NULL;
}

static int begin(slot *s, uint64_t number, cn_part_neighbor *const neighbors[], size_t count)
{
    if (count > s->room) {
        s->request = realloc(s->request, 2 * count * sizeof *s->request);
        s->status = realloc(s->status, 2 * count * sizeof *s->status);
        s->room = count;
    }
    if (s->request == NULL || s->status == NULL)
        return 1;
    s->number = number;
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        const cn_part_neighbor *n = neighbors[i];
        if (n->received_room > INT_MAX || n->sent_size > INT_MAX)
            return 2;
        MPI_Irecv(n->received, (int)n->received_room, MPI_BYTE, (int)n->part, TAG, MPI_COMM_WORLD,
                  &s->request[i]);
    }
    for (size_t i = 0; i < count; i++)
        MPI_Isend(neighbors[i]->sent, (int)neighbors[i]->sent_size, MPI_BYTE,
                  (int)neighbors[i]->part, TAG, MPI_COMM_WORLD, &s->request[count + i]);
    return 0;
}

static int end(slot *s, cn_part_neighbor *const neighbors[], size_t count)
{
    MPI_Waitall((int)(2 * count), s->request, s->status);
    for (size_t i = 0; i < count; i++) {
        int bytes = 0;
        MPI_Get_count(&s->status[i], MPI_BYTE, &bytes);
        neighbors[i]->received_size = (uint64_t)bytes;
    }
    s->count = 0;
    return 0;
}

static int exchange(void *user, int call, uint64_t number, cn_part_neighbor *const neighbors[],
                    size_t count)
{
    slot *s = find(user, call == CN_EXCHANGE_BEGIN ? 0 : count, number);
    if (call == CN_EXCHANGE_STOP)
        return MPI_Abort(MPI_COMM_WORLD, 1);
    if (s == NULL)
        return 3;
    return call == CN_EXCHANGE_BEGIN ? begin(s, number, neighbors, count)
                                     : end(s, neighbors, count);
}

/* ---- snapshots ---- */

static void name_of(char path[PATH], const char *folder, int rank, uint64_t cycle)
{
    int length =
        rank < 0 ? snprintf(path, PATH, "%s/latest", folder)
                 : snprintf(path, PATH, "%s/part-%d-%llu", folder, rank, (unsigned long long)cycle);
    must_have(length > 0 && length < PATH, "the name of the folder is too long");
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    char other[PATH + 4];
    snprintf(other, sizeof other, "%s.new", path);
    FILE *file = fopen(other, "wb");
    must_have(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0 &&
                  rename(other, path) == 0,
              "cannot write a snapshot");
}

/* When all parts are written, process 0 says so; only then the old ones go. Returns the cycle of
 * the new ones. */
static uint64_t save(const char *folder, int rank, const cn_sim *sim, uint64_t old)
{
    char path[PATH];
    size_t size = 0;
    uint64_t cycle = cn_sim_cycle(sim);
    cn_sim_save(sim, NULL, 0, &size);
    uint8_t *data = malloc(size);
    must_have(data != NULL, "out of memory");
    must(cn_sim_save(sim, data, size, NULL));
    name_of(path, folder, rank, cycle);
    write_file(path, data, size);
    free(data);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        name_of(path, folder, -1, 0);
        write_file(path, &cycle, sizeof cycle);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    name_of(path, folder, rank, old);
    if (old > 0)
        remove(path);
    return cycle;
}

/* The cycle of the last snapshots of all parts; 0: there are none. */
static uint64_t last_saved(const char *folder, int rank)
{
    char path[PATH];
    uint64_t cycle = 0;
    if (rank == 0) {
        name_of(path, folder, -1, 0);
        FILE *file = fopen(path, "rb");
        if (file != NULL) {
            must_have(fread(&cycle, sizeof cycle, 1, file) == 1, "cannot read which is the last");
            fclose(file);
        }
    }
    MPI_Bcast(&cycle, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return cycle;
}

static cn_sim *load(const cn_scenario *scenario, const char *folder, int rank, uint64_t cycle,
                    slot slots[])
{
    char path[PATH];
    cn_sim *sim = NULL;
    name_of(path, folder, rank, cycle);
    FILE *file = fopen(path, "rb");
    must_have(file != NULL && fseek(file, 0, SEEK_END) == 0, "cannot read a snapshot");
    size_t size = (size_t)ftell(file);
    uint8_t *data = malloc(size);
    rewind(file);
    must_have(data != NULL && fread(data, 1, size, file) == size, "cannot read a snapshot");
    fclose(file);
    must(cn_sim_restore_part(scenario, data, size, exchange, slots, NULL, &sim));
    free(data);
    return sim;
}

/* ---- the result ---- */

static void print_result(const cn_scenario *scenario, const uint8_t *const data[],
                         const size_t sizes[], size_t parts)
{
    cn_result *result;
    must(cn_result_merge_parts(scenario, data, sizes, parts, &result));
    for (size_t m = 1; m <= cn_metric_count(); m++) {
        double value, half_width;
        if (cn_result_value(result, (cn_metric)m, &value) != CN_OK ||
            cn_result_half_width(result, (cn_metric)m, &half_width) != CN_OK)
            continue;
        printf("%s %.17g %.17g\n", cn_metric_name((cn_metric)m), value, half_width);
    }
    cn_result_free(&result);
}

/* What all parts have counted goes to process 0. */
static void merge(const cn_scenario *scenario, cn_sim *sim, int rank, int parts)
{
    size_t size = 0;
    cn_sim_save_counts(sim, NULL, 0, &size);
    uint8_t *own = malloc(size), *all = NULL;
    must_have(own != NULL, "out of memory");
    must(cn_sim_save_counts(sim, own, size, NULL));
    int bytes = (int)size, total = 0;
    int *each = calloc((size_t)parts, sizeof *each), *first = calloc((size_t)parts, sizeof *first);
    const uint8_t **data = calloc((size_t)parts, sizeof *data);
    size_t *sizes = calloc((size_t)parts, sizeof *sizes);
    must_have(each != NULL && first != NULL && data != NULL && sizes != NULL, "out of memory");
    MPI_Gather(&bytes, 1, MPI_INT, each, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int p = 0; p < parts; p++) {
        first[p] = total;
        total += each[p];
    }
    if (rank == 0)
        must_have((all = malloc((size_t)total)) != NULL, "out of memory");
    MPI_Gatherv(own, bytes, MPI_BYTE, all, each, first, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int p = 0; rank == 0 && p < parts; p++) {
        data[p] = all + first[p];
        sizes[p] = (size_t)each[p];
    }
    if (rank == 0)
        print_result(scenario, data, sizes, (size_t)parts);
    free(own);
    free(all);
    free(each);
    free(first);
    free(data);
    free(sizes);
}

static void print_cost(const cn_sim *sim, int rank, int parts)
{
    uint64_t own[2], all[2];
    double seconds[2], slowest[2];
    must(cn_sim_exchanged(sim, &own[0], &own[1], &seconds[0], &seconds[1]));
    MPI_Reduce(own, all, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(seconds, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0 && all[0] > 0)
        fprintf(stderr,
                "%d parts: %llu messages crossed, %.2f bytes each; %.3f s in steps, %.1f %% of it "
                "waiting\n",
                parts, (unsigned long long)all[0], (double)all[1] / (double)all[0], slowest[1],
                100.0 * slowest[0] / slowest[1]);
}

static void run(int rank, int parts, int count, char *arguments[])
{
    slot slots[UNDER_WAY] = {{0}};
    const char *folder = count > 6 ? arguments[5] : NULL;
    uint64_t cycles = strtoull(arguments[4], NULL, 10), all = cycles + cycles / 4, saved = 0;
    uint64_t every = folder != NULL ? strtoull(arguments[6], NULL, 10) : all;
    uint64_t dies = count > 8 && atoi(arguments[7]) == rank ? strtoull(arguments[8], NULL, 10) : 0;
    cn_topology *cube;
    cn_scenario *scenario;
    cn_sim *sim = NULL;
    must(cn_topology_hypercube((uint32_t)atoi(arguments[2]), &cube));
    must(cn_scenario_new(cube, arguments[1], &scenario));
    if (strcmp(arguments[1], "deflection") != 0)
        must(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 1));
    must(cn_scenario_set(scenario, CN_PARAM_LOAD, atof(arguments[3])));
    must(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, (double)(cycles / 4)));
    if (folder != NULL && (saved = last_saved(folder, rank)) > 0)
        sim = load(scenario, folder, rank, saved, slots);
    else
        must(cn_sim_open_part(scenario, (uint32_t)rank, (uint32_t)parts, exchange, slots, NULL,
                              &sim));
    for (uint64_t now; (now = cn_sim_cycle(sim)) < all;) {
        uint64_t next = now + every - now % every;
        next = next < all ? next : all;
        if (dies > now && dies < next) {
            must(cn_sim_step(sim, dies - now, NULL));
            raise(SIGKILL);
        }
        must(cn_sim_step(sim, next - now, NULL));
        if (folder != NULL && next < all)
            saved = save(folder, rank, sim, saved);
    }
    merge(scenario, sim, rank, parts);
    print_cost(sim, rank, parts);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    for (int i = 0; i < UNDER_WAY; i++) {
        free(slots[i].request);
        free(slots[i].status);
    }
}

int main(int count, char *arguments[])
{
    int rank, parts;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &parts);
    must_have(count > 4, "mpirun -n P parts SYSTEM N LOAD CYCLES [FOLDER EVERY [RANK CYCLE]]");
    run(rank, parts, count, arguments);
    return MPI_Finalize();
}

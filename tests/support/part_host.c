#define _POSIX_C_SOURCE 200809L

#include "part_host.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What was sent and not yet received, from one part to another. */
typedef struct packet {
    struct packet *next;
    uint64_t number, size;
    unsigned char bytes[];
} packet;

struct part_host {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint32_t parts;
    int has_failed;
    packet **first; /* by sender and receiver */
    void (*work)(part_port *port);
};

static int send_to(part_port *port, uint64_t number, const cn_part_neighbor *neighbor)
{
    part_host *host = port->host;
    packet *made = malloc(sizeof *made + (size_t)neighbor->sent_size);
    if (made == NULL)
        return 1;
    made->next = NULL;
    made->number = number;
    made->size = neighbor->sent_size;
    memcpy(made->bytes, neighbor->sent, (size_t)neighbor->sent_size);
    pthread_mutex_lock(&host->mutex);
    packet **end = &host->first[port->part * host->parts + neighbor->part];
    while (*end != NULL)
        end = &(*end)->next;
    *end = made;
    pthread_cond_broadcast(&host->changed);
    pthread_mutex_unlock(&host->mutex);
    return 0;
}

/* The packet of an exchange, if it is there; what else is there was sent later. */
static packet **find(packet **at, uint64_t number)
{
    while (*at != NULL && (*at)->number != number)
        at = &(*at)->next;
    return at;
}

static int receive_from(part_port *port, uint64_t number, cn_part_neighbor *neighbor)
{
    part_host *host = port->host;
    packet *found, **at, **first = &host->first[neighbor->part * host->parts + port->part];
    pthread_mutex_lock(&host->mutex);
    while (*(at = find(first, number)) == NULL && !host->has_failed)
        pthread_cond_wait(&host->changed, &host->mutex);
    if ((found = *at) != NULL)
        *at = found->next;
    pthread_mutex_unlock(&host->mutex);
    if (found == NULL)
        return 2;
    int fits = found->size <= neighbor->received_room;
    if (fits) {
        neighbor->received_size = found->size;
        memcpy(neighbor->received, found->bytes, (size_t)found->size);
    }
    free(found);
    return fits ? 0 : 3;
}

static void fail_all(part_host *host)
{
    pthread_mutex_lock(&host->mutex);
    host->has_failed = 1;
    pthread_cond_broadcast(&host->changed);
    pthread_mutex_unlock(&host->mutex);
}

int part_exchange(void *user, int call, uint64_t number, cn_part_neighbor *const neighbors[],
                  size_t count)
{
    part_port *port = user;
    int failed = 0;
    port->calls += 1;
    if (call == CN_EXCHANGE_STOP) {
        port->stopped = 1;
        fail_all(port->host);
        return 0;
    }
    if (port->calls == port->fails_at)
        return 42;
    for (size_t i = 0; i < count && failed == 0; i++)
        failed = call == CN_EXCHANGE_BEGIN ? send_to(port, number, neighbors[i])
                                           : receive_from(port, number, neighbors[i]);
    if (failed == 0 && port->damage_at > 0 && port->calls >= port->damage_at &&
        call == CN_EXCHANGE_END)
        port->damaged += (uint64_t)port->damage(
            port, neighbors[0]->received, (size_t)(neighbors[0]->received_size / sizeof(uint64_t)));
    return failed;
}

static void *run(void *argument)
{
    part_port *port = argument;
    port->host->work(port);
    return NULL;
}

int part_host_run(uint32_t parts, part_port ports[], void (*work)(part_port *port))
{
    part_host host = {.parts = parts, .work = work};
    pthread_t *threads = calloc(parts, sizeof *threads);
    host.first = calloc((size_t)parts * parts, sizeof *host.first);
    pthread_mutex_init(&host.mutex, NULL);
    pthread_cond_init(&host.changed, NULL);
    uint32_t started = 0;
    for (; threads != NULL && host.first != NULL && started < parts; started++) {
        ports[started].host = &host;
        ports[started].part = started;
        if (pthread_create(&threads[started], NULL, run, &ports[started]) != 0)
            break;
    }
    if (started < parts)
        fail_all(&host);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; host.first != NULL && i < (size_t)parts * parts; i++)
        for (packet *p = host.first[i], *next; p != NULL; p = next) {
            next = p->next;
            free(p);
        }
    free(host.first);
    free(threads);
    pthread_cond_destroy(&host.changed);
    pthread_mutex_destroy(&host.mutex);
    return started == parts;
}

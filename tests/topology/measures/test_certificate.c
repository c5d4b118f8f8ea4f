/*
 * Certificates of the lower bounds of bisection widths that bisection.c keeps, checked from the
 * network alone.
 *
 * A bisection of N (even) nodes is a vector x of 1 and -1 whose elements add up to 0; with L the
 * Laplace matrix of the network it cuts x L x / 4 links. Of any three nodes, signs s with s_ij s_ik
 * s_jk = 1 give s_ij x_i x_j + s_ik x_i x_k + s_jk x_j x_k >= -1 (triangle inequality). For
 * multipliers t >= 0 of such inequalities and any y, let M be L/4 without the sum of t times the
 * matrix of its inequality, and without y on the diagonal. Then the cut has sum(y) - sum(t) + x M x
 * links, so sum(y) - sum(t) at least, when M has no negative eigenvalue on the vectors that add up
 * to 0.
 *
 * A file has the name of the family, n, the bound, the number of maps and that of the inequalities;
 * then y of every node (4 characters, 2^23 added) and the inequalities (9 characters: the nodes and
 * the signs in 5, t in 4), numbers in base 64 in units of 2^-22. Each inequality stands for its
 * images under the maps, which share t.
 */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 512, UNIT = 22 };

static const char *folder;

typedef struct certificate {
    char family[32];
    unsigned n, bound, maps, count;
    uint64_t nodes;
    cn_topology *topology;
    /* M in units of 2^-23 / maps, whole numbers below 2^53; sums of y and of t in units of 2^-22 */
    double *matrix;
    double sum_y, sum_t;
} certificate;

static double *at(const certificate *c, uint64_t i, uint64_t j)
{
    return &c->matrix[i * c->nodes + j];
}

static uint64_t read_number(FILE *file, int characters)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
    uint64_t number = 0;
    while (characters > 0) {
        int letter = fgetc(file);
        if (letter == '\n')
            continue;
        assert_true(letter != EOF && letter != '\0');
        const char *found = strchr(digits, letter);
        assert_non_null(found);
        number = number << 6 | (uint64_t)(found - digits);
        characters--;
    }
    return number;
}

/* The complement; then, with four maps, bit i to bit -i mod n, too. Any map of the nodes will
 * do. */
static uint64_t image(const certificate *c, unsigned map, uint64_t v)
{
    uint64_t turned = 0;
    for (unsigned i = 0; i < c->n; i++)
        turned |= (v >> i & 1) << (c->n - i) % c->n;
    v = map & 2 ? turned : v;
    return map & 1 ? c->nodes - 1 - v : v;
}

static void add_links(certificate *c)
{
    double quarter = ldexp(c->maps, UNIT - 1);
    for (uint64_t v = 0; v < c->nodes; v++) {
        uint64_t neighbor;
        uint32_t degree;
        assert_ok(cn_topology_degree(c->topology, v, &degree));
        *at(c, v, v) += quarter * degree;
        for (uint32_t p = 0; p < degree; p++) {
            assert_ok(cn_topology_neighbor(c->topology, v, p, &neighbor));
            *at(c, v, neighbor) -= quarter;
        }
    }
}

static void subtract(certificate *c, uint64_t i, uint64_t j, double t)
{
    *at(c, i, j) -= t;
    *at(c, j, i) -= t;
}

static void add_inequality(certificate *c, FILE *file)
{
    static const double signs[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    uint64_t word = read_number(file, 5);
    double t = (double)read_number(file, 4);
    const uint64_t node[3] = {word >> 20 & 511, word >> 11 & 511, word >> 2 & 511};
    const double *sign = signs[word & 3];
    assert_true(node[0] < node[1] && node[1] < node[2] && node[2] < c->nodes);
    c->sum_t += t;
    for (unsigned map = 0; map < c->maps; map++) {
        const uint64_t a = image(c, map, node[0]), b = image(c, map, node[1]);
        const uint64_t d = image(c, map, node[2]);
        subtract(c, a, b, sign[0] * t);
        subtract(c, a, d, sign[1] * t);
        subtract(c, b, d, sign[2] * t);
    }
}

static void open_certificate(certificate *c, const char *name)
{
    char path[1024];
    memset(c, 0, sizeof *c);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(
        fscanf(file, "%31s %u %u %u %u", c->family, &c->n, &c->bound, &c->maps, &c->count), 5);
    assert_true(c->maps == 2 || c->maps == 4);
    assert_ok(strcmp(c->family, "psnn") == 0 ? cn_topology_psnn(c->n, &c->topology)
                                             : cn_topology_shuffle_exchange(c->n, &c->topology));
    c->nodes = cn_topology_node_count(c->topology);
    assert_true(c->nodes <= MOST);
    c->matrix = calloc((size_t)(c->nodes * c->nodes), sizeof *c->matrix);
    add_links(c);
    for (uint64_t v = 0; v < c->nodes; v++) {
        double y = (double)read_number(file, 4) - 0x1p23;
        *at(c, v, v) -= 2.0 * c->maps * y;
        c->sum_y += y;
    }
    for (unsigned i = 0; i < c->count; i++)
        add_inequality(c, file);
    fclose(file);
}

static void close_certificate(certificate *c)
{
    free(c->matrix);
    cn_topology_free(&c->topology);
}

/* On the vectors that add up to 0: with the basis e_i - e_last every element stays a whole
 * number. */
static uint64_t restrict_matrix(certificate *c)
{
    uint64_t last = c->nodes - 1;
    for (uint64_t i = 0; i < last; i++)
        for (uint64_t j = 0; j < last; j++) {
            *at(c, i, j) += *at(c, last, last) - *at(c, i, last) - *at(c, last, j);
            assert_true(fabs(*at(c, i, j)) < 0x1p50);
        }
    return last;
}

/*
 * Cholesky's factorization of the matrix less a little on its diagonal. When it runs to its end in
 * floating point, the matrix has no negative eigenvalue, if the little is (n + 2) 2^-53 times the
 * trace (Rump, Verification of positive definiteness, BIT 46, 2006); here it is a thousand times
 * that.
 */
static int is_definite(certificate *c, uint64_t n)
{
    double trace = 0.0;
    for (uint64_t i = 0; i < n; i++)
        trace += *at(c, i, i);
    double little = 1000.0 * (double)(n + 2) * 0x1p-53 * trace;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j <= i; j++) {
            double sum = *at(c, i, j) - (i == j ? little : 0.0);
            for (uint64_t k = 0; k < j; k++)
                sum -= *at(c, i, k) * *at(c, j, k);
            if (i == j && !(sum > 0.0))
                return 0;
            *at(c, i, j) = i == j ? sqrt(sum) : sum / *at(c, j, j);
        }
    return 1;
}

static void check(const char *name, const char *topology, uint64_t bound)
{
    certificate c;
    uint64_t lower, upper;
    cn_known kind;
    open_certificate(&c, name);
    assert_string_equal(cn_topology_name(c.topology), topology);
    assert_true(c.bound == bound && c.nodes % 2 == 0);
    assert_true(ldexp(c.sum_y - c.sum_t, -UNIT) > (double)bound - 1.0); /* and widths are whole */
    assert_true(is_definite(&c, restrict_matrix(&c)));
    cn_control *few;
    assert_ok(cn_control_new(&few));
    assert_ok(cn_control_set_steps(few, 1));
    assert_ok(cn_topology_bisection(c.topology, few, NULL, 0, &lower, &upper, &kind));
    assert_int_equal(lower, bound);
    cn_control_free(&few);
    close_certificate(&c);
}

static void the_bounds_are_proved(void **state)
{
    (void)state;
    check("psnn-8.txt", "psnn(8)", 40);
    check("psnn-9.txt", "psnn(9)", 68);
    check("shuffle-exchange-8.txt", "shuffle_exchange(8)", 27);
    check("shuffle-exchange-9.txt", "shuffle_exchange(9)", 47);
}

/* A greater y would prove more, and leaves a negative eigenvalue. */
static void more_is_not_proved(void **state)
{
    (void)state;
    certificate c;
    open_certificate(&c, "psnn-8.txt");
    for (uint64_t v = 0; v < c.nodes; v++)
        *at(&c, v, v) -= ldexp(c.maps, UNIT - 5); /* 2^-6 each, 4 links in all */
    assert_false(is_definite(&c, restrict_matrix(&c)));
    close_certificate(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bounds_are_proved),
        cmocka_unit_test(more_is_not_proved),
    };
    if (argc != 2)
        return 1;
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * What the answers in C are called. Each assignment has a file of its own, which says what its
 * functions return; a page of the course explains why. Your own helpers are to be static.
 * not_written() stands where an answer is still to be written.
 */
#ifndef COURSE_H
#define COURSE_H

#include <cubenet.h>

/* Ends the question: there is no answer yet. */
_Noreturn void not_written(void);

/* 1: necklaces.c */
uint64_t distance(unsigned k, unsigned n, uint64_t a, uint64_t b);
uint64_t rotate(unsigned k, unsigned n, uint64_t node);
uint64_t generator(unsigned k, unsigned n, uint64_t node);
unsigned displacement(unsigned k, unsigned n, uint64_t node);

/* 2: routing.c. A set of ports or directions is a word: bit p for port p. */
enum { EAST, WEST, NORTH, SOUTH };

uint64_t ecube(uint64_t node, uint64_t destination);
int ecube_number(unsigned n, uint64_t node, unsigned port);
uint64_t random_minimal(uint64_t node, uint64_t destination);
unsigned waiting_circle(uint64_t node[], unsigned port[], uint64_t destination[], unsigned room);
uint64_t west_first(unsigned columns, uint64_t node, uint64_t destination);
int west_first_number(unsigned columns, unsigned rows, uint64_t node, unsigned direction);
double mean_delay(const cn_topology *network, cn_vc_rule rule, void *user, double load);

/* 3: two_phase.c */
void two_phase(unsigned channels, unsigned buffers, const uint64_t preferred[], unsigned count,
               const uint32_t random[], uint32_t ports[]);

/* 4: chain.c */
void phase_one(unsigned n, unsigned messages, double f[]);
void both_phases(unsigned n, unsigned buffers, unsigned messages, double f[]);
void stationary(unsigned n, unsigned buffers, double load, double transit, double pi[]);
void headers(unsigned n, double q, double matrix[]);
double model_error(unsigned n, unsigned buffers, double load);

/* 5: convex.c. dead[v], faulty[v], disabled[v] are 1 or 0. */
uint64_t bad_links(unsigned n, const uint8_t dead[], uint64_t node);
int is_safe(unsigned n, const uint8_t dead[], uint64_t node);
void make_convex(unsigned n, const uint8_t faulty[], uint8_t disabled[]);

/* 6: broadcast.c */
void replications(unsigned n, uint64_t nodes[]);
double published_replica_rate(unsigned n, double beta, double load);
double replica_rate(unsigned n, double beta, double load);
double measured_ratio(unsigned n, double beta, double load);
void latency_errors(unsigned n, double beta, double load, double errors[2]);

/* 7: shuffle.c */
typedef enum family { PSNN, HYPERCUBE } family;

/* Of PSNN(n), n = 3 .. 7, by exhaustive search, with loops dropped: F of the worst source, links of
 * the least bisection, and the number of links. n = 7 takes a computer some seconds, n = 8 is not
 * known in full. */
static const unsigned broadcast_time[] = {[3] = 4, 5, 7, 8, 10};
static const unsigned bisection[] = {[3] = 4, 6, 8, 14, 24};
static const unsigned links[] = {[3] = 12, 27, 60, 123, 252};

unsigned neighbors(unsigned n, uint64_t node, uint64_t list[4]);
unsigned diameter(unsigned n);
double paper_cost(char measure, family which, unsigned n);
double exact_cost(char measure, family which, unsigned n);
void crossing(char measure, unsigned n[2]);

#endif

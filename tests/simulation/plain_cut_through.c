#include "plain_cut_through.h"

#include <stdlib.h>
#include <string.h>

static void check(int holds)
{
    if (!holds)
        abort();
}

void plain_cut_through_open(plain_cut_through *p)
{
    plain_deflection_open(&p->net);
    p->room = p->net.nodes * (p->net.buffers + p->net.ports);
    p->trains = calloc(p->room, sizeof *p->trains);
    check(p->trains != NULL && p->segments > 0);
}

void plain_cut_through_close(plain_cut_through *p)
{
    plain_deflection_close(&p->net);
    free(p->trains);
}

static uint64_t place_of(const plain_train *t)
{
    return t->node[t->hops];
}

static int has_arrived(const plain_train *t)
{
    return place_of(t) == t->head.destination;
}

size_t plain_cut_through_headers(const plain_cut_through *p, uint64_t node)
{
    size_t headers = 0;
    for (size_t i = 0; i < p->count; i++)
        headers += place_of(&p->trains[i]) == node && !has_arrived(&p->trains[i]);
    return headers;
}

/* ---- the first n mini-cycles ---- */

/* "If there is any message with the kth bit set": the oldest of them. */
static plain_train *find_wanting(plain_cut_through *p, uint64_t node, uint64_t port)
{
    plain_train *found = NULL;
    uint64_t far = p->net.far[node][port];
    for (size_t i = 0; i < p->count; i++) {
        plain_train *t = &p->trains[i];
        uint64_t to = t->head.destination;
        if (place_of(t) != node || p->net.hops[far][to] >= p->net.hops[node][to])
            continue;
        if (found == NULL || plain_deflection_is_older(&t->head, &found->head))
            found = t;
    }
    return found;
}

/* "The node has to force out one message": the youngest. */
static plain_train *find_youngest(plain_cut_through *p, uint64_t node)
{
    plain_train *found = NULL;
    for (size_t i = 0; i < p->count; i++) {
        plain_train *t = &p->trains[i];
        if (place_of(t) != node || has_arrived(t))
            continue;
        if (found == NULL || plain_deflection_is_older(&found->head, &t->head))
            found = t;
    }
    return found;
}

/* Every node decides by what it holds when the mini-cycle begins; then the headers cross. */
static void send_headers(plain_cut_through *p, uint64_t port)
{
    plain_train *out[PLAIN_NODES];
    for (uint64_t v = 0; v < p->net.nodes; v++) {
        out[v] = find_wanting(p, v, port);
        if (out[v] != NULL)
            out[v]->forced[out[v]->hops] = 0;
        if (out[v] != NULL || plain_cut_through_headers(p, v) < p->net.buffers)
            continue;
        out[v] = find_youngest(p, v);
        out[v]->forced[out[v]->hops] = 1;
    }
    for (uint64_t v = 0; v < p->net.nodes; v++) {
        plain_train *t = out[v];
        if (t == NULL)
            continue;
        check(t->hops < PLAIN_PATH);
        t->port[t->hops] = port;
        t->passed[t->hops] = 0;
        t->node[++t->hops] = p->net.far[v][port];
        p->net.tally.load[v * p->net.ports + port]++;
        if (!has_arrived(t))
            p->net.tally.forwarded[place_of(t)]++;
    }
}

/* ---- segments ---- */

/* How many of its segments have come to the place before hop i. The source gives one in each
 * mini-cycle. */
static uint64_t come(const plain_cut_through *p, const plain_train *t, size_t i)
{
    uint64_t given = p->net.cycle - t->head.created + 1;
    if (i > 0)
        return t->passed[i - 1];
    return given < p->segments ? given : p->segments;
}

/* A segment crosses the channel of hop h of a message; the last one ends the hop. */
static void count_segment(plain_cut_through *p, const plain_train *t, size_t h)
{
    int forced = t->forced[h];
    p->crossed[forced]++;
    p->arrived += has_arrived(t) && h + 1 == t->hops;
    if (t->passed[h] < p->segments)
        return;
    p->net.counts.first += !forced;
    p->net.counts.second += (uint64_t)forced;
    p->net.counts.deflected += (uint64_t)forced;
}

/* One segment over every channel that a message holds: the last channel first, so that none crosses
 * two. */
static void move_segments(plain_cut_through *p)
{
    static unsigned char busy[PLAIN_NODES][64];
    memset(busy, 0, sizeof busy);
    for (size_t i = 0; i < p->count; i++) {
        plain_train *t = &p->trains[i];
        for (size_t h = t->hops; h-- > 0;) {
            if (t->passed[h] == p->segments)
                continue;
            check(come(p, t, h) > t->passed[h]);
            check(busy[t->node[h]][t->port[h]]++ == 0);
            t->passed[h]++;
            count_segment(p, t, h);
        }
    }
}

/* Segments that wait in a node; what has arrived is not kept. */
static void check_buffers(const plain_cut_through *p)
{
    uint64_t held[PLAIN_NODES] = {0};
    for (size_t i = 0; i < p->count; i++) {
        const plain_train *t = &p->trains[i];
        for (size_t h = 0; h < t->hops; h++)
            held[t->node[h]] += come(p, t, h) - t->passed[h];
        if (!has_arrived(t))
            held[place_of(t)] += come(p, t, t->hops);
    }
    for (uint64_t v = 0; v < p->net.nodes; v++)
        check(held[v] <= p->net.buffers * p->segments &&
              plain_cut_through_headers(p, v) <= p->net.buffers);
}

static void deliver(plain_cut_through *p)
{
    for (size_t i = 0; i < p->count;) {
        const plain_train *t = &p->trains[i];
        if (!has_arrived(t) || t->passed[t->hops - 1] < p->segments) {
            i++;
            continue;
        }
        p->net.counts.delivered++;
        p->net.counts.delay += p->net.cycle - t->head.created;
        p->net.tally.delivered[t->head.destination]++;
        p->net.tally.hops[t->hops]++;
        p->trains[i] = p->trains[--p->count];
    }
}

/* ---- new messages ---- */

static void admit(plain_cut_through *p, uint64_t node)
{
    uint64_t offered = plain_deflection_offer(&p->net, node);
    for (uint64_t i = 0; i < offered && plain_cut_through_headers(p, node) < p->net.buffers; i++) {
        uint64_t to = plain_deflection_destination(&p->net, node, i);
        check(p->count < p->room);
        p->trains[p->count].head = (plain_message){p->net.cycle, node, i, to, 0};
        p->trains[p->count].hops = 0;
        p->trains[p->count++].node[0] = node;
        p->net.counts.accepted++;
        p->net.tally.accepted[node]++;
        p->net.counts.distance += p->net.hops[node][to];
    }
}

void plain_cut_through_step(plain_cut_through *p)
{
    uint64_t k = p->net.cycle % (p->net.ports + p->segments - 1);
    for (uint64_t v = 0; v < p->net.nodes; v++) {
        p->net.counts.queue += plain_cut_through_headers(p, v);
        p->net.tally.queue[v] += plain_cut_through_headers(p, v);
    }
    if (k < p->net.ports)
        send_headers(p, k);
    move_segments(p);
    p->net.cycle++;
    deliver(p);
    for (uint64_t v = 0; v < p->net.nodes; v++)
        admit(p, v);
    check_buffers(p);
}

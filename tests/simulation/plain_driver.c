/*
 * The plain wormhole simulator as a program of its own:
 *     plain_driver n M V beta lambda_g [cycles [servers [seed [adaptive [buffers [one_port]]]]]]
 * prints one line of names and one of values. The first quarter of the cycles is warm-up.
 */
#include <stdio.h>
#include <stdlib.h>

#include "plain_wormhole.h"

int main(int count, char **words)
{
    if (count < 6) {
        fprintf(stderr,
                "usage: %s n M V beta lambda_g [cycles [servers [seed [adaptive [buffers "
                "[one_port]]]]]]\n",
                words[0]);
        return 2;
    }
    uint32_t n = (uint32_t)atoi(words[1]);
    uint64_t cycles = count > 6 ? strtoull(words[6], NULL, 10) : 200000;
    plain_config config = {.message_flits = (uint32_t)atoi(words[2]),
                           .virtual_channels = (uint32_t)atoi(words[3]),
                           .broadcast_fraction = atof(words[4]),
                           .load = atof(words[5]),
                           .injection_servers = count > 7 ? (uint32_t)atoi(words[7]) : 1,
                           .seed = count > 8 ? strtoull(words[8], NULL, 10) : 1,
                           .adaptive = count > 9 ? atoi(words[9]) : 1,
                           .flit_buffers = count > 10 ? (uint32_t)atoi(words[10]) : 2,
                           .one_port = count > 11 ? atoi(words[11]) : 0};
    cn_topology *cube = NULL;
    if (cn_topology_hypercube(n, &cube) != CN_OK) {
        fprintf(stderr, "%s\n", cn_last_error());
        return 1;
    }
    config.topology = cube;
    plain_wormhole *w = plain_open(&config);
    for (uint64_t c = 0; c < cycles / 4; c++)
        plain_step(w);
    uint64_t before = plain_in_flight(w);
    plain_clear(w);
    for (uint64_t c = 0; c < cycles - cycles / 4; c++)
        plain_step(w);
    const plain_counts *s = plain_read(w);
    double nodes = (double)cn_topology_node_count(cube), channels = nodes * n;
    double channel_cycles = channels * (double)s->cycles, node_cycles = nodes * (double)s->cycles;
    double grants = (double)(s->grants[0] + s->grants[1] + s->grants[2]);
    printf("unicast broadcast n_steps lambda_cu lambda_cb lambda_cr lambda_c waiting_per_hop "
           "multiplexing sharing utilization offered delivered in_flight_before in_flight_after "
           "flit_hops\n");
    printf("%.3f %.3f %.3f %.8f %.8f %.8f %.8f %.4f %.5f %.5f %.5f %.7f %.7f %llu %llu %llu\n",
           (double)s->delay[0] / (double)s->delivered[0],
           (double)s->delay[1] / (double)s->delivered[1],
           n * (double)s->step_delay / (double)s->copies, (double)s->grants[0] / channel_cycles,
           (double)s->grants[1] / channel_cycles, (double)s->grants[2] / channel_cycles,
           grants / channel_cycles, (double)s->waiting / grants,
           (double)s->held_square / (double)s->held, (double)s->held / (double)s->busy,
           (double)s->flit_hops / channel_cycles,
           (double)(s->accepted[0] + s->accepted[1]) / node_cycles,
           (double)(s->delivered[0] + s->delivered[1]) / node_cycles, (unsigned long long)before,
           (unsigned long long)plain_in_flight(w), (unsigned long long)s->flit_hops);
    plain_close(w);
    cn_topology_free(&cube);
    return 0;
}

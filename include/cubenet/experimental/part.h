/**
 * @file part.h
 * One simulation over many processes. Each of P processes, on one machine or on many, simulates a
 * part of the network: a range of nodes. Once a clock cycle a process passes the messages for other
 * parts to a function of the program and receives the messages of the other parts. The program
 * chooses the transport; the library does not use MPI. The bits are those of one process for any P
 * and any number of threads in each. docs/scale.md has a guide, docs/examples/mpi/ a program.
 *
 *     cn_sim_open_part(scenario, part, parts, exchange, user, NULL, &sim);
 *     cn_sim_step(sim, cycles, NULL);            // the same number in all processes
 *     cn_sim_save_counts(sim, data, capacity, &size);
 *     // bring what all parts have saved to one process, and there:
 *     cn_result_merge_parts(scenario, data, sizes, parts, &result);
 *
 * Part p has the nodes of the blocks p B / P to (p + 1) B / P - 1 (rounded down) of the B blocks of
 * 64 nodes that the network has. In a Boolean cube these are subcubes when P is a power of two. A
 * part keeps the state of its own nodes only. A message is injected at the part of its source and
 * delivered at the part of its destination.
 *
 * The systems "deflection", "separate-buffers" and "shared-buffer" can be divided on every network
 * that they take, the last two in slotted time alone; all else gives CN_ERR_UNSUPPORTED. All
 * functions of simulation.h take a part, with these differences: cn_sim_result() and
 * cn_sim_step_until() give CN_ERR_UNSUPPORTED; nodes of other parts give CN_ERR_ARGUMENT;
 * cn_sim_channel_loads() and cn_sim_in_flight() cover the nodes of the part only;
 * cn_sim_next_event() returns the next cycle; cn_sim_step() takes NULL for its control, since a
 * part that stopped early would leave the other parts waiting; cn_sim_restore_part() takes the
 * place of cn_sim_copy() and cn_sim_restore(), which do not know the exchange function.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_PART_H
#define CUBENET_EXPERIMENTAL_PART_H

#include "../control.h"
#include "../result.h"
#include "../scenario.h"
#include "../simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The task of a call of the exchange function. The numbers never change. */
typedef enum cn_exchange {
    CN_EXCHANGE_BEGIN = 0, /**< begin to send and to receive */
    /** return when everything begun under this number has been sent and received */
    CN_EXCHANGE_END = 1,
    /**
     * this part has failed and joins no further exchange: make the exchanges of the other parts
     * fail
     */
    CN_EXCHANGE_STOP = 2
} cn_exchange;

/**
 * A part with which messages are exchanged. All memory belongs to the library. Later versions may
 * append members.
 */
typedef struct cn_part_neighbor {
    const void *sent;       /**< bytes for this part; unchanged from BEGIN to the return of END */
    uint64_t sent_size;     /**< number of these bytes, at least 1 */
    void *received;         /**< room for its bytes, filled between BEGIN and the return of END */
    uint64_t received_room; /**< size of this room in bytes; the other part never sends more */
    uint64_t received_size; /**< out, at END: number of bytes that the other part sent */
    uint64_t part;          /**< number of the other part */
} cn_part_neighbor;

/**
 * Exchanges buffers with the neighbouring parts. The library calls it on the thread that called
 * cn_sim_step(), with BEGIN and later with END for each exchange. The numbers of the exchanges are
 * the same in all parts, and so are the calls: if part A names B as a neighbour, B names A under
 * the same number. There is one exchange a clock cycle, and one exchange at a time is between
 * BEGIN and END. A program may do everything at END. When messages of the caller (cn_sim_inject())
 * cross to another part in great number, an exchange is followed by others with fewer neighbours.
 *
 * The array @p neighbors is valid during the call only; the cn_part_neighbor objects, and the bytes
 * to which they point, are valid from BEGIN to the return of END. Messages are words in the byte
 * order of the machine, so all processes must run on machines of the same byte order. The bytes
 * carry a checksum, by which the library detects bytes that were changed on the way or belong to
 * another clock cycle.
 *
 * @param user the @p user of cn_sim_open_part() or cn_sim_restore_part()
 * @param call a cn_exchange: CN_EXCHANGE_BEGIN, CN_EXCHANGE_END or CN_EXCHANGE_STOP; with STOP
 *        there are no neighbours
 * @param number of the exchange
 * @param neighbors @p count pointers, one for each neighbour: a later version may make a
 *        cn_part_neighbor larger
 * @return 0 for success; after any other number cn_sim_step() returns CN_ERR_EXCHANGE
 */
typedef int (*cn_exchange_fn)(void *user, int call, uint64_t number,
                              cn_part_neighbor *const neighbors[], size_t count);

/**
 * Finds the nodes of a part: @p count of them from @p first on.
 * @param parts 1 .. number of blocks of 64 nodes, and at most 65535
 * @param part 0 .. parts - 1
 */
CN_API cn_status cn_part_nodes(const cn_topology *topology, uint32_t part, uint32_t parts,
                               uint64_t *first, uint64_t *count);

/**
 * Opens a part of a simulation, as cn_sim_open() opens all of it. The scenario must be the same in
 * all parts; `threads` may differ. With one part, the exchange function is never called.
 *
 * @param exchange not NULL; called by cn_sim_step() alone
 * @param user passed to it
 * @param control as for cn_sim_open()
 * @return CN_ERR_UNSUPPORTED (a system that cannot be divided; continuous time; `warmup_cycles` is
 *         "automatic", which only the whole network could tell), CN_ERR_ARGUMENT, otherwise as
 *         cn_sim_open(). O(channels of the part)
 */
CN_API cn_status cn_sim_open_part(const cn_scenario *scenario, uint32_t part, uint32_t parts,
                                  cn_exchange_fn exchange, void *user, const cn_control *control,
                                  cn_sim **sim);

/**
 * Opens a part in the state of a snapshot that cn_sim_save() has written of it. Part and number of
 * parts are those of the snapshot. All parts go on from snapshots of the same cycle.
 * @return as cn_sim_restore() and cn_sim_open_part()
 */
CN_API cn_status cn_sim_restore_part(const cn_scenario *scenario, const uint8_t data[], size_t size,
                                     cn_exchange_fn exchange, void *user, const cn_control *control,
                                     cn_sim **sim);

/**
 * Returns the cost of the exchanges of a part since the part was opened.
 * @param messages out: messages that went to other parts
 * @param bytes out: bytes sent for these exchanges
 * @param waiting out: seconds in the exchange function at END
 * @param stepping out: seconds in cn_sim_step(), @p waiting included
 * @return CN_ERR_ARGUMENT, CN_ERR_STATE (no part). All outputs may be NULL.
 */
CN_API cn_status cn_sim_exchanged(const cn_sim *sim, uint64_t *messages, uint64_t *bytes,
                                  double *waiting, double *stepping);

/**
 * Writes the counts of a part: whole numbers, from which cn_result_merge_parts() makes the result
 * of the whole network. The bytes are the same on every machine and for any number of threads. The
 * call adds up the counts of the threads, so it must have the simulation to itself.
 *
 * @param data out; untouched when the capacity is too small
 * @param capacity room in @p data, in bytes; 0 (and NULL) asks for the size alone
 * @param size out: number of bytes, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_STATE (no part; after an error
 *         that ended the simulation; no cycle measured yet), CN_ERR_INTERNAL (messages were lost).
 *         About 25 kB; with `statistics` O(channels of the part)
 */
CN_API cn_status cn_sim_save_counts(cn_sim *sim, uint8_t data[], size_t capacity, size_t *size);

/**
 * Makes the result of a simulation from the counts of its parts: bit for bit the result of
 * cn_sim_result() in one process.
 *
 * @param scenario the scenario of the parts
 * @param data the counts of all parts, in any order, each from cn_sim_save_counts() at the same
 *        cycle
 * @param sizes the sizes of @p data in bytes
 * @param count number of elements, which is the number of parts
 * @return CN_ERR_ARGUMENT (data of another scenario or seed, damaged data; a part is missing or
 *         there twice; parts at different cycles), CN_ERR_INTERNAL (messages were lost between
 *         parts), CN_ERR_UNSTABLE (the network was so overloaded that in one process its warm-up
 *         would have ended early), CN_ERR_MEMORY. O(size)
 */
CN_API cn_status cn_result_merge_parts(const cn_scenario *scenario, const uint8_t *const data[],
                                       const size_t sizes[], size_t count, cn_result **result);

#ifdef __cplusplus
}
#endif

#endif

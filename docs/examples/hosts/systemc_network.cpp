/*
 * A SystemC module that is a whole network: ports of bounded FIFOs at every node, one clock,
 * back-pressure both ways.
 *
 * The network is a 4-cube with deflection and 5 buffers a node. At every rising edge it takes one
 * packet from the FIFO of each node that has a free buffer, runs a cycle, and hands on what has
 * arrived where the receiver's FIFO has room. So a full node fills its FIFO, and the producer's
 * write() waits; a slow consumer keeps its packets in the network module.
 *
 * Every node writes 60 packets as fast as it can; consumers read one each 2 cycles. For each packet
 * is printed: source, destination, number, cycle of admission, cycle of arrival, and the time at
 * which it was read.
 *
 * Compile it with
 *
 *     c++ -std=c++17 -o systemc_network systemc_network.cpp $(pkg-config --cflags --libs cubenet
 *     systemc)
 */
#include <cubenet.hpp>

#include <systemc>

#include <deque>
#include <iostream>

using namespace sc_core;

namespace
{

constexpr uint64_t NODES = 16;
constexpr uint64_t PACKETS = 60;
const sc_time PERIOD(10, SC_NS);

struct packet {
    uint64_t source = 0, destination = 0, number = 0, admitted = 0, arrived = 0;
};

std::ostream &operator<<(std::ostream &to, const packet &p)
{
    return to << p.source << ' ' << p.destination << ' ' << p.number << ' ' << p.admitted << ' '
              << p.arrived;
}

cubenet::simulation open_network()
{
    auto cube = cubenet::make<cubenet::topology>(cn_topology_hypercube, 4u);
    auto scenario = cubenet::make<cubenet::scenario>(cn_scenario_new, cube, "deflection");
    cubenet::check(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 5));
    return cubenet::simulation(scenario);
}

struct network : sc_module {
    sc_in<bool> clock{"clock"};
    sc_vector<sc_fifo_in<packet>> in{"in", NODES};
    sc_vector<sc_fifo_out<packet>> out{"out", NODES};

    SC_HAS_PROCESS(network);
    explicit network(const sc_module_name &name) : sc_module(name), sim(open_network())
    {
        SC_METHOD(cycle);
        sensitive << clock.pos();
        dont_initialize();
    }

  private:
    void cycle()
    {
        packet p;
        for (uint64_t v = 0; v < NODES; v++)
            if (sim.can_accept(v) && in[v].nb_read(p))
                sim.send(v, p.destination, p.number);
        sim.step();
        sim.deliver([this](const cn_delivery &d) {
            waiting[d.destination].push_back(
                {d.source, d.destination, d.tag, d.injected, d.delivered});
        });
        for (uint64_t v = 0; v < NODES; v++)
            if (!waiting[v].empty() && out[v].nb_write(waiting[v].front()))
                waiting[v].pop_front();
    }

    cubenet::simulation sim;
    std::deque<packet> waiting[NODES];
};

struct producer : sc_module {
    sc_fifo_out<packet> out{"out"};

    SC_HAS_PROCESS(producer);
    producer(const sc_module_name &name, uint64_t at) : sc_module(name), node(at)
    {
        SC_THREAD(run);
    }

  private:
    void run()
    {
        for (uint64_t i = 0; i < PACKETS; i++)
            out.write({node, (node + 1 + (7 * i + node) % (NODES - 1)) % NODES, i, 0, 0});
    }

    uint64_t node;
};

struct consumer : sc_module {
    sc_fifo_in<packet> in{"in"};

    SC_HAS_PROCESS(consumer);
    consumer(const sc_module_name &name, uint64_t &read) : sc_module(name), all(read)
    {
        SC_THREAD(run);
    }

  private:
    void run()
    {
        for (;; wait(2 * PERIOD)) {
            packet p = in.read();
            std::cout << "packet " << p << ' ' << sc_time_stamp() / PERIOD << '\n';
            if (++all == NODES * PACKETS)
                sc_stop();
        }
    }

    uint64_t &all;
};

} // namespace

int sc_main(int, char *[])
{
    sc_clock clock("clock", PERIOD, 0.5, PERIOD);
    uint64_t read = 0;
    network net("network");
    sc_vector<sc_fifo<packet>> to(
        "to", NODES, [](const char *name, size_t) { return new sc_fifo<packet>(name, 4); });
    sc_vector<sc_fifo<packet>> from(
        "from", NODES, [](const char *name, size_t) { return new sc_fifo<packet>(name, 4); });
    sc_vector<producer> producers("producer", NODES,
                                  [](const char *name, size_t v) { return new producer(name, v); });
    sc_vector<consumer> consumers(
        "consumer", NODES, [&read](const char *name, size_t) { return new consumer(name, read); });
    net.clock(clock);
    for (size_t v = 0; v < NODES; v++) {
        producers[v].out(to[v]);
        net.in[v](to[v]);
        net.out[v](from[v]);
        consumers[v].in(from[v]);
    }
    sc_start(1, SC_MS);
    return read == NODES * PACKETS ? 0 : 1;
}

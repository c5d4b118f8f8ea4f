/*
 * Endpoints with send, receive and space-to-send, and functions that they call: the pattern of the
 * SimpleNetwork interface of SST. The host has a clock and components; cubenet is behind the
 * endpoints.
 *
 * An endpoint limits what waits to enter the network (in bits) and keeps what has arrived until it
 * is fetched. It calls a function when something has arrived and when there is space again; the
 * function returns whether it wants to be called again.
 *
 * Sixteen components on a 4 x 4 torus exchange blocks with all others (a personalised all-to-all):
 * 64 bits of address and 256 bits for each step of the distance of their numbers. Printed are for
 * each block source, destination, bits, and the cycles of send and receive; then totals.
 *
 * Compile it with
 *
 *     c++ -std=c++17 -o simple_network simple_network.cpp $(pkg-config --cflags --libs cubenet)
 */
#include <cubenet.hpp>

#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace
{

constexpr uint64_t NODES = 16, FLIT_BITS = 64;

struct request {
    uint64_t source, destination, bits, sent;
};

class fabric;

class endpoint
{
  public:
    using handler = std::function<bool()>;

    endpoint(fabric &of, uint64_t at, uint64_t most) : network(of), node(at), limit(most)
    {
    }

    bool space_to_send(uint64_t bits) const
    {
        return waiting + bits <= limit;
    }

    // The request is the network's until it arrives; it is left alone when there is no space.
    bool send(std::unique_ptr<request> &r);

    // NULL: nothing has arrived.
    std::unique_ptr<request> receive()
    {
        if (arrived.empty())
            return nullptr;
        std::unique_ptr<request> r = std::move(arrived.front());
        arrived.pop_front();
        return r;
    }

    void notify_on_send(handler function)
    {
        on_send = std::move(function);
    }

    void notify_on_receive(handler function)
    {
        on_receive = std::move(function);
    }

  private:
    friend class fabric;
    fabric &network;
    uint64_t node, limit, waiting = 0; // bits
    std::deque<uint64_t> entering;     // bits of the messages that wait, oldest first
    std::deque<std::unique_ptr<request>> arrived;
    handler on_send, on_receive;
};

class fabric
{
  public:
    fabric(const cn_scenario *scenario, uint64_t limit) : sim(scenario)
    {
        for (uint64_t v = 0; v < NODES; v++)
            ends.emplace_back(*this, v, limit);
    }

    endpoint &at(uint64_t node)
    {
        return ends[node];
    }

    uint64_t now() const
    {
        return sim.cycle();
    }

    // A message that still waits, or has not arrived.
    bool is_busy() const
    {
        return sim.next_event() != CN_NEVER;
    }

    void clock()
    {
        sim.step();
        sim.deliver([this](const cn_delivery &d) {
            auto of = on_its_way.extract(d.tag);
            ends[d.destination].arrived.push_back(std::move(of.mapped()));
        });
        for (endpoint &e : ends)
            tell(e);
    }

    uint64_t flit_hops() const
    {
        std::vector<uint64_t> loads(4 * NODES);
        cubenet::check(cn_sim_channel_loads(sim, loads.data(), loads.size(), nullptr));
        uint64_t sum = 0;
        for (uint64_t load : loads)
            sum += load;
        return sum;
    }

  private:
    friend class endpoint;

    void tell(endpoint &e)
    {
        const uint64_t left = sim.queued(e.node);
        bool has_left = false;
        for (; e.entering.size() > left; e.entering.pop_front(), has_left = true)
            e.waiting -= e.entering.front();
        if (has_left && e.on_send && !e.on_send())
            e.on_send = nullptr;
        if (!e.arrived.empty() && e.on_receive && !e.on_receive())
            e.on_receive = nullptr;
    }

    cubenet::simulation sim;
    std::deque<endpoint> ends;                                         // components refer to them
    std::unordered_map<uint64_t, std::unique_ptr<request>> on_its_way; // by tag
    uint64_t next_tag = 0;
};

bool endpoint::send(std::unique_ptr<request> &r)
{
    if (!space_to_send(r->bits))
        return false;
    r->sent = network.now();
    entering.push_back(r->bits);
    waiting += r->bits;
    network.sim.send(node, r->destination, network.next_tag, (r->bits + FLIT_BITS - 1) / FLIT_BITS);
    network.on_its_way.emplace(network.next_tag++, std::move(r));
    return true;
}

// Sends to the others in turn, as soon as there is space.
class component
{
  public:
    component(fabric &of, uint64_t at) : network(of), end(of.at(at)), node(at)
    {
        end.notify_on_send([this] { return send_more(); });
        end.notify_on_receive([this] { return take_all(); });
    }

    bool send_more()
    {
        for (; turn < NODES; turn++) {
            const uint64_t to = (node + turn) % NODES, steps = turn < 8 ? turn : NODES - turn;
            if (next == nullptr)
                next.reset(new request{node, to, 64 + 256 * steps, 0});
            if (!end.send(next))
                return true;
        }
        return false;
    }

    uint64_t blocks = 0;

  private:
    bool take_all()
    {
        while (auto r = end.receive()) {
            blocks++;
            std::printf(
                "block %llu %llu %llu %llu %llu\n", static_cast<unsigned long long>(r->source),
                static_cast<unsigned long long>(r->destination),
                static_cast<unsigned long long>(r->bits), static_cast<unsigned long long>(r->sent),
                static_cast<unsigned long long>(network.now()));
        }
        return blocks < NODES - 1;
    }

    fabric &network;
    endpoint &end;
    uint64_t node, turn = 1;
    std::unique_ptr<request> next;
};

} // namespace

int main()
{
    const uint64_t sides[] = {4, 4};
    auto torus = cubenet::make<cubenet::topology>(cn_topology_torus, &sides[0], 2u);
    auto scenario = cubenet::make<cubenet::scenario>(cn_scenario_new, torus, "wormhole");
    cubenet::check(cn_scenario_set(scenario, CN_PARAM_ONE_PORT, 1));
    cubenet::check(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    fabric network(scenario, 4096);
    std::deque<component> components;
    for (uint64_t v = 0; v < NODES; v++)
        components.emplace_back(network, v).send_more();
    while (network.is_busy())
        network.clock();
    uint64_t blocks = 0;
    for (const component &c : components)
        blocks += c.blocks;
    std::printf("total %llu blocks, %llu cycles, %llu flit hops\n",
                static_cast<unsigned long long>(blocks),
                static_cast<unsigned long long>(network.now()),
                static_cast<unsigned long long>(network.flit_hops()));
    return 0;
}

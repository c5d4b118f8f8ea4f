/*
 * A SimGrid platform whose routes and latencies come from cubenet's model: a host without a clock.
 *
 * Every channel of a 4 x 4 mesh becomes a link. Its latency is the mean time that a message spends
 * there in continuous time under uniform traffic, in milliseconds: waiting and transmission. The
 * route of two hosts is that of dimension order. So a message that a SimGrid program sends takes as
 * long as the model says that a message of this pair takes on average.
 *
 * Each host sends one message to every other, one after the other. Printed are for each pair the
 * links of its route and the time of its message by SimGrid's clock; then the mean of all, and the
 * model's mean delay.
 *
 * Compile it with
 *
 *     c++ -std=c++17 -o simgrid_platform simgrid_platform.cpp $(pkg-config --cflags --libs cubenet
 *     simgrid)
 */
#include <cubenet.hpp>
#include <cubenet/experimental/intermediate.h>

#include <simgrid/s4u.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace
{

constexpr uint64_t SIDE = 4, NODES = SIDE * SIDE;
constexpr double CYCLE = 1e-3; // seconds; SimGrid counts time in steps of 1e-9
constexpr double LOAD = 0.5;

std::string name_of(uint64_t node)
{
    return "host" + std::to_string(node);
}

// The nodes of the one path.
std::vector<uint64_t> path_of(const cn_routing *routing, uint64_t from, uint64_t to)
{
    std::vector<uint64_t> nodes(NODES);
    size_t count = 0;
    cubenet::check(cn_routing_path(routing, from, to, 0, nodes.data(), nodes.size(), &count));
    nodes.resize(count);
    return nodes;
}

void make_platform(const cn_topology *mesh, const cn_routing *routing,
                   const std::vector<double> &delays)
{
    sg4::NetZone *zone = sg4::create_full_zone("mesh");
    const uint32_t ports = cn_topology_max_degree(mesh);
    std::vector<sg4::Link *> links(NODES * NODES);
    for (uint64_t v = 0; v < NODES; v++) {
        uint32_t degree = 0;
        uint64_t next = 0;
        zone->create_host(name_of(v), 1e9);
        cubenet::check(cn_topology_degree(mesh, v, &degree));
        for (uint32_t port = 0; port < degree; port++) {
            cubenet::check(cn_topology_neighbor(mesh, v, port, &next));
            sg4::Link *link =
                zone->create_link(std::to_string(v) + "-" + std::to_string(next), 1e15);
            links[v * NODES + next] = link->set_latency(delays[v * ports + port] * CYCLE)->seal();
        }
    }
    for (uint64_t from = 0; from < NODES; from++)
        for (uint64_t to = 0; to < NODES; to++) {
            if (from == to)
                continue;
            std::vector<sg4::LinkInRoute> route;
            const std::vector<uint64_t> nodes = path_of(routing, from, to);
            for (size_t i = 1; i < nodes.size(); i++)
                route.emplace_back(links[nodes[i - 1] * NODES + nodes[i]]);
            zone->add_route(sg4::Host::by_name(name_of(from))->get_netpoint(),
                            sg4::Host::by_name(name_of(to))->get_netpoint(), nullptr, nullptr,
                            route, false);
        }
    zone->seal();
}

void send_all(uint64_t from)
{
    static int word;
    for (uint64_t to = 0; to < NODES; to++)
        if (to != from) {
            double begin = sg4::Engine::get_clock();
            sg4::Mailbox::by_name(name_of(to) + name_of(from))->put(&word, 1);
            std::printf("message %llu %llu %.9f\n", static_cast<unsigned long long>(from),
                        static_cast<unsigned long long>(to),
                        (sg4::Engine::get_clock() - begin) / CYCLE);
        }
}

void receive_all(uint64_t to)
{
    int *words[NODES];
    std::vector<sg4::CommPtr> all;
    for (uint64_t from = 0; from < NODES; from++)
        if (to != from)
            all.push_back(
                sg4::Mailbox::by_name(name_of(to) + name_of(from))->get_async<int>(&words[from]));
    sg4::Comm::wait_all(all);
}

} // namespace

int main(int argc, char *argv[])
{
    sg4::Engine engine(&argc, argv);
    sg4::Engine::set_config("network/model:CM02"); // latencies as they are
    sg4::Engine::set_config("network/TCP-gamma:0");
    const uint64_t sides[] = {SIDE, SIDE};
    auto mesh = cubenet::make<cubenet::topology>(cn_topology_mesh, &sides[0], 2u);
    auto routing =
        cubenet::make<cubenet::routing>(cn_routing_new, mesh, "dimension-order", nullptr, nullptr);
    auto scenario = cubenet::make<cubenet::scenario>(cn_scenario_new, mesh, "separate-buffers");
    cubenet::check(cn_scenario_set_routing(scenario, routing));
    cubenet::check(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0));
    cubenet::check(cn_scenario_set(scenario, CN_PARAM_LOAD, LOAD));
    std::vector<double> delays(NODES * cn_topology_max_degree(mesh));
    cubenet::check(
        cn_predict_channel_delays(scenario, nullptr, delays.data(), delays.size(), nullptr));
    make_platform(mesh, routing, delays);
    for (uint64_t v = 0; v < NODES; v++) {
        sg4::Actor::create("sender", engine.host_by_name(name_of(v)), send_all, v);
        sg4::Actor::create("receiver", engine.host_by_name(name_of(v)), receive_all, v);
    }
    engine.run();
    auto model = cubenet::make<cubenet::result>(cn_predict, scenario, nullptr);
    std::printf("model %.9f\n", cubenet::value(model, CN_METRIC_MEAN_DELAY));
    return 0;
}

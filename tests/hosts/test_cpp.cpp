// cubenet.hpp: who frees what, what is thrown, and what a simulation hands on.
#include <cubenet.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

using cubenet::check;
using cubenet::make;

namespace
{

void expect(bool holds, const char *what)
{
    if (holds)
        return;
    std::fprintf(stderr, "not so: %s\n", what);
    std::exit(1);
}

#define EXPECT(condition) expect((condition), #condition)

static_assert(!std::is_copy_constructible_v<cubenet::topology>);
static_assert(!std::is_copy_assignable_v<cubenet::topology>);
static_assert(std::is_nothrow_move_constructible_v<cubenet::topology>);
static_assert(std::is_nothrow_move_assignable_v<cubenet::topology>);
static_assert(std::is_nothrow_move_constructible_v<cubenet::simulation>);

int objects;

void *allocate(void *, size_t size)
{
    void *memory = std::malloc(size);
    objects += memory != nullptr;
    return memory;
}

void release(void *, void *memory)
{
    objects--;
    std::free(memory);
}

cubenet::scenario empty_cube(const char *system)
{
    auto cube = make<cubenet::topology>(cn_topology_hypercube, 4u);
    return make<cubenet::scenario>(cn_scenario_new, cube, system);
}

void handles_free_their_objects()
{
    cubenet::topology none, cube = make<cubenet::topology>(cn_topology_hypercube, 3u);
    const int one = objects;
    EXPECT(one > 0 && !none && cube && none.get() == nullptr);
    cubenet::topology moved = std::move(cube);
    EXPECT(!cube && moved && objects == one);
    check(cn_topology_hypercube(4u, moved.out())); // frees the one that it held
    EXPECT(cn_topology_node_count(moved) == 16 && objects == one);
    cubenet::topology other = make<cubenet::topology>(cn_topology_hypercube, 5u);
    moved = std::move(other);
    EXPECT(cn_topology_node_count(moved) == 32 && objects == one);
    cn_topology *mine = moved.release();
    EXPECT(!moved && objects == one);
    moved = cubenet::topology(mine);
    moved = {};
    EXPECT(objects == 0);
}

void errors_are_thrown()
{
    try {
        make<cubenet::topology>(cn_topology_hypercube, 63u);
        EXPECT(false);
    } catch (const cubenet::error &e) {
        EXPECT(e.status() == CN_ERR_ARGUMENT && std::strstr(e.what(), "63") != nullptr);
    }
    EXPECT(check(CN_DONE) == CN_DONE && check(CN_REFUSED) == CN_REFUSED);
    auto scenario = empty_cube("deflection");
    cubenet::simulation network(scenario);
    try {
        network.send(3, 3, 0);
        EXPECT(false);
    } catch (const cubenet::error &e) {
        EXPECT(std::string(e.what()) == cn_last_error());
    }
    EXPECT(network.cycle() == 0);
}

void a_copy_and_a_snapshot_deliver_the_same()
{
    auto scenario = empty_cube("deflection");
    cubenet::simulation network(scenario);
    EXPECT(network.send(2, 13, 7));
    network.step(2);
    auto copy = network.copy();
    auto restored = cubenet::simulation::restore(scenario, network.save());
    for (cubenet::simulation *one : {&network, &copy, &restored}) {
        EXPECT(one->cycle() == 2 && one->step_until(1000));
        auto arrived = one->receive();
        EXPECT(arrived && arrived->tag == 7 && arrived->delivered == network.cycle());
    }
    try {
        cubenet::simulation::restore(scenario, {1, 2, 3});
        EXPECT(false);
    } catch (const cubenet::error &e) {
        EXPECT(e.status() == CN_ERR_ARGUMENT);
    }
}

void a_simulation_delivers()
{
    auto scenario = empty_cube("deflection");
    check(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 4));
    check(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    cubenet::simulation first(scenario), network = std::move(first);
    EXPECT(network.next_event() == CN_NEVER && !first);
    for (uint64_t tag = 0; tag < 4; tag++)
        EXPECT(network.can_accept(2) && network.send(2, 13, tag));
    EXPECT(!network.can_accept(2) && !network.send(2, 13, 4));
    EXPECT(network.queued(2) == 4 && network.next_event() == 1);
    EXPECT(!network.receive());
    EXPECT(network.step_until(1000) && network.cycle() >= 4);
    std::vector<uint64_t> tags;
    EXPECT(network.receive().has_value());
    try { // what was handed on before is gone, the rest is still there
        network.deliver([&](const cn_delivery &) { throw 7; });
    } catch (int) {
    }
    network.step(100);
    network.deliver([&](const cn_delivery &d) { tags.push_back(d.tag); });
    EXPECT(tags.size() == 2 && !network.step_until(CN_NEVER));
    auto result = network.measured();
    EXPECT(cubenet::value(result, CN_METRIC_MESSAGES_DELIVERED) == 4.0);
}

} // namespace

int main()
{
    check(cn_set_allocator(allocate, release, nullptr));
    handles_free_their_objects();
    errors_are_thrown();
    a_simulation_delivers();
    a_copy_and_a_snapshot_deliver_the_same();
    EXPECT(objects == 0);
    return 0;
}

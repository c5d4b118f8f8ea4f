/**
 * @file cubenet.hpp
 * cubenet for C++17: handles that free themselves, errors as exceptions, and a simulation with
 * deliveries that are handed to a function. It is a header over cubenet.h and adds nothing to the
 * library; a handle can be passed to every C function.
 *
 *     auto cube = cubenet::make<cubenet::topology>(cn_topology_hypercube, 6u);
 *     auto scenario = cubenet::make<cubenet::scenario>(cn_scenario_new, cube, "deflection");
 *     cubenet::check(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 12));
 *     cubenet::simulation network(scenario);
 *     network.send(0, 63, 7);
 *     network.step();
 *     while (auto arrived = network.receive()) { ... }
 *
 * The functions of this header throw; the C functions never do, and no exception may pass through
 * them. A function that is given to the library as a callback (cn_vc_rule, cn_rate_fn,
 * cn_progress_fn, the allocator) must therefore catch what it throws. Functions given to
 * simulation::deliver() are called from C++ and may throw.
 *
 * @since 0.1
 */
#ifndef CUBENET_HPP
#define CUBENET_HPP

#include "cubenet.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

/** The C++ names of cubenet. */
namespace cubenet
{

/** A call that failed. what() is the sentence of cn_last_error(). */
class error : public std::runtime_error
{
  public:
    /** Takes the sentence of the calling thread's last error. */
    explicit error(cn_status status) : std::runtime_error(cn_last_error()), status_(status)
    {
    }

    /** The status that the call returned. */
    cn_status status() const noexcept
    {
        return status_;
    }

  private:
    cn_status status_;
};

/** Throws an error for a negative status; returns any other: CN_OK, CN_DONE, CN_REFUSED. */
inline cn_status check(cn_status status)
{
    if (status < 0)
        throw error(status);
    return status;
}

/**
 * Owns one object of the library, or none. It can be moved, not copied; the destructor frees the
 * object. A handle converts to the pointer that C functions take.
 */
template <class Object, void (*Free)(Object **)> class handle
{
  public:
    handle() noexcept = default;

    /** Takes over an object that a C function has made. */
    explicit handle(Object *owned) noexcept : object_(owned)
    {
    }

    /** Takes over the object of the other, which is then empty. */
    handle(handle &&other) noexcept : object_(std::exchange(other.object_, nullptr))
    {
    }

    /** Frees the object that it holds, and takes over that of the other, which is then empty. */
    handle &operator=(handle &&other) noexcept
    {
        if (this != &other)
            *out() = std::exchange(other.object_, nullptr);
        return *this;
    }

    handle(const handle &) = delete;
    handle &operator=(const handle &) = delete;

    ~handle()
    {
        Free(&object_);
    }

    /** The pointer; NULL when empty. */
    Object *get() const noexcept
    {
        return object_;
    }

    /** The same, so that a named handle can be an argument of a C function. */
    operator Object *() const &noexcept
    {
        return object_;
    }

    /** A temporary handle would free the object before the pointer is used. */
    operator Object *() const && = delete;

    /** Whether it holds an object. */
    explicit operator bool() const noexcept
    {
        return object_ != nullptr;
    }

    /** Frees the object; returns the place where a C function stores the one that it makes. */
    Object **out() noexcept
    {
        Free(&object_);
        return &object_;
    }

    /** Gives the object up: the caller frees it. */
    Object *release() noexcept
    {
        return std::exchange(object_, nullptr);
    }

  private:
    Object *object_ = nullptr;
};

using control = handle<cn_control, cn_control_free>;          /**< control.h */
using deadlock = handle<cn_deadlock, cn_deadlock_free>;       /**< deadlock.h */
using faults = handle<cn_faults, cn_faults_free>;             /**< fault.h */
using hierarchy = handle<cn_hierarchy, cn_hierarchy_free>;    /**< hierarchy.h */
using operations = handle<cn_operations, cn_operations_free>; /**< collective.h */
using result = handle<cn_result, cn_result_free>;             /**< result.h */
using routing = handle<cn_routing, cn_routing_free>;          /**< routing.h */
using scenario = handle<cn_scenario, cn_scenario_free>;       /**< scenario.h */
using sim = handle<cn_sim, cn_sim_close>;                     /**< simulation.h */
using subnet = handle<cn_subnet, cn_subnet_free>;             /**< subnet.h */
using topology = handle<cn_topology, cn_topology_free>;       /**< topology.h */
using traffic = handle<cn_traffic, cn_traffic_free>;          /**< traffic.h */
using tree = handle<cn_tree, cn_tree_free>;                   /**< tree.h */
#ifdef CN_EXPERIMENTAL
using study = handle<cn_study, cn_study_free>;          /**< experimental/study.h */
using workload = handle<cn_workload, cn_workload_free>; /**< experimental/workload.h */
#endif

/**
 * Calls a C function that makes an object, with all its arguments but the last, and owns the
 * object. Throws an error when the function fails.
 */
template <class Handle, class Function, class... Arguments>
Handle make(Function function, const Arguments &...arguments)
{
    Handle made;
    check(function(arguments..., made.out()));
    return made;
}

/** A metric of a result; throws an error when the result does not hold it. */
inline double value(const cn_result *of, cn_metric metric)
{
    double found = 0.0;
    check(cn_result_value(of, metric, &found));
    return found;
}

/**
 * A simulation that the caller drives: cn_sim with exceptions for errors. It belongs to one thread
 * at a time, and can be moved. Functions of simulation.h take it as a handle:
 * cn_sim_queued(network, ...).
 */
class simulation : public sim
{
  public:
    /** Opens a simulation of the scenario at cycle 0. */
    explicit simulation(const cn_scenario *of, const cn_control *limits = nullptr)
        : sim(make<sim>(cn_sim_open, of, limits))
    {
    }

    /** Takes over a simulation that a C function has made. */
    explicit simulation(sim &&made) noexcept : sim(std::move(made))
    {
    }

    /** Injects a message; false when it was refused, to be tried again after a step. */
    bool send(uint64_t source, uint64_t destination, uint64_t tag, uint64_t flits = 0)
    {
        return check(cn_sim_inject(*this, source, destination, flits, tag)) == CN_OK;
    }

    /** Whether send() would admit a message of this source now. */
    bool can_accept(uint64_t source) const
    {
        return check(cn_sim_can_accept(*this, source)) == CN_OK;
    }

    /** The number of messages that wait at a node: cn_sim_queued(). */
    uint64_t queued(uint64_t node) const
    {
        uint64_t messages = 0;
        check(cn_sim_queued(*this, node, &messages));
        return messages;
    }

    /** The next message that has arrived, if there is one. */
    std::optional<cn_delivery> receive()
    {
        cn_delivery arrived;
        if (check(cn_sim_next_delivery(*this, &arrived, sizeof arrived)) != CN_OK)
            return std::nullopt;
        return arrived;
    }

    /** Hands every message that has arrived to a function of a const cn_delivery &; returns their
     * number. */
    template <class Receiver> uint64_t deliver(Receiver &&receiver)
    {
        uint64_t messages = 0;
        for (; auto arrived = receive(); messages++)
            receiver(std::as_const(*arrived));
        return messages;
    }

    /** A snapshot: cn_sim_save(). */
    std::vector<uint8_t> save() const
    {
        std::vector<uint8_t> data;
        std::size_t size = 0;
        cn_sim_save(*this, nullptr, 0, &size);
        data.resize(size);
        check(cn_sim_save(*this, data.data(), size, nullptr));
        return data;
    }

    /** Opens a simulation in the state of a snapshot: cn_sim_restore(). */
    static simulation restore(const cn_scenario *of, const std::vector<uint8_t> &data,
                              const cn_control *limits = nullptr)
    {
        return simulation(make<sim>(cn_sim_restore, of, data.data(), data.size(), limits));
    }

    /** A second simulation in the same state: cn_sim_copy(). */
    simulation copy(const cn_control *limits = nullptr) const
    {
        return simulation(make<sim>(cn_sim_copy, *this, limits));
    }

    /** Simulates so many cycles. */
    void step(uint64_t cycles = 1)
    {
        check(cn_sim_step(*this, cycles, nullptr));
    }

    /** Steps to the next delivery; false when there is none up to this cycle:
     * cn_sim_step_until(). */
    bool step_until(uint64_t limit)
    {
        return check(cn_sim_step_until(*this, limit, nullptr)) == CN_OK;
    }

    /** The number of cycles simulated so far. */
    uint64_t cycle() const noexcept
    {
        return cn_sim_cycle(*this);
    }

    /** The first cycle at whose end anything can happen, or CN_NEVER: cn_sim_next_event(). */
    uint64_t next_event() const noexcept
    {
        return cn_sim_next_event(*this);
    }

    /** The metrics measured so far: cn_sim_result(). */
    result measured() const
    {
        return make<result>(cn_sim_result, *this);
    }
};

} // namespace cubenet

#endif

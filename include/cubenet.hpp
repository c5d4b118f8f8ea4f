/**
 * @file cubenet.hpp
 * cubenet for C++17: handles that free their objects, errors as exceptions, and simulations that
 * pass deliveries to a function. The header is a layer over cubenet.h and adds nothing to the
 * library. Every C function takes a handle of this header.
 *
 *     auto cube = cubenet::make<cubenet::topology>(cn_topology_hypercube, 6u);
 *     auto scenario = cubenet::make<cubenet::scenario>(cn_scenario_new, cube, "deflection");
 *     cubenet::check(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 12));
 *     cubenet::simulation network(scenario);
 *     network.send(0, 63, 7);
 *     network.step();
 *     while (auto arrived = network.receive()) { ... }
 *
 * The functions of this header throw exceptions. C functions never throw, and no exception may pass
 * through them. A callback of the library (cn_vc_rule, cn_rate_fn, cn_progress_fn, the allocator)
 * must therefore catch its own exceptions. simulation::deliver() calls its function from C++, so
 * this function may throw.
 *
 * @since 1.0
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
    /** Makes an error with the sentence of the calling thread's last error. */
    explicit error(cn_status status) : std::runtime_error(cn_last_error()), status_(status)
    {
    }

    /** Returns the status of the failed call. */
    cn_status status() const noexcept
    {
        return status_;
    }

  private:
    cn_status status_;
};

/** Throws an error for a negative status; returns any other status: CN_OK, CN_DONE, CN_REFUSED. */
inline cn_status check(cn_status status)
{
    if (status < 0)
        throw error(status);
    return status;
}

/**
 * Owns one object of the library, or none. A handle can be moved, not copied; the destructor frees
 * the object. A handle converts to the pointer that C functions take.
 */
template <class Object, void (*Free)(Object **)> class handle
{
  public:
    handle() noexcept = default;

    /** Takes over an object that a C function has made. */
    explicit handle(Object *owned) noexcept : object_(owned)
    {
    }

    /** Takes over the object of the other handle, which is then empty. */
    handle(handle &&other) noexcept : object_(std::exchange(other.object_, nullptr))
    {
    }

    /** Frees the present object and takes over the object of the other, which is then empty. */
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

    /** Returns the pointer to the object; NULL when the handle is empty. */
    Object *get() const noexcept
    {
        return object_;
    }

    /** Converts to the pointer, so that a named handle can be an argument of a C function. */
    operator Object *() const &noexcept
    {
        return object_;
    }

    /** Is deleted: a temporary handle would free the object before the use of the pointer. */
    operator Object *() const && = delete;

    /** Tells whether the handle holds an object. */
    explicit operator bool() const noexcept
    {
        return object_ != nullptr;
    }

    /** Frees the object; returns the place where a C function stores a new object. */
    Object **out() noexcept
    {
        Free(&object_);
        return &object_;
    }

    /** Empties the handle and returns the object, which the caller then frees. */
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
 * Calls a C function that makes an object, with all arguments except the last, and returns a handle
 * of the object. Throws an error when the function fails.
 */
template <class Handle, class Function, class... Arguments>
Handle make(Function function, const Arguments &...arguments)
{
    Handle made;
    check(function(arguments..., made.out()));
    return made;
}

/** Returns the value of a metric; throws an error when the result does not hold the metric. */
inline double value(const cn_result *of, cn_metric metric)
{
    double found = 0.0;
    check(cn_result_value(of, metric, &found));
    return found;
}

/**
 * A simulation that the caller drives: a cn_sim with exceptions for errors. A simulation belongs to
 * one thread at a time, and can be moved. Functions of simulation.h take the simulation as a
 * handle: cn_sim_queued(network, ...).
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

    /** Injects a message; returns false when the network refuses the message. */
    bool send(uint64_t source, uint64_t destination, uint64_t tag, uint64_t flits = 0)
    {
        return check(cn_sim_inject(*this, source, destination, flits, tag)) == CN_OK;
    }

    /** Tells whether send() would admit a message of this source now: cn_sim_can_accept(). */
    bool can_accept(uint64_t source) const
    {
        return check(cn_sim_can_accept(*this, source)) == CN_OK;
    }

    /** Returns the number of messages that wait at a node: cn_sim_queued(). */
    uint64_t queued(uint64_t node) const
    {
        uint64_t messages = 0;
        check(cn_sim_queued(*this, node, &messages));
        return messages;
    }

    /** Returns the next delivery, if there is one: cn_sim_next_delivery(). */
    std::optional<cn_delivery> receive()
    {
        cn_delivery arrived;
        if (check(cn_sim_next_delivery(*this, &arrived, sizeof arrived)) != CN_OK)
            return std::nullopt;
        return arrived;
    }

    /**
     * Calls a function of a const cn_delivery & for every delivery; returns the number of
     * deliveries.
     */
    template <class Receiver> uint64_t deliver(Receiver &&receiver)
    {
        uint64_t messages = 0;
        for (; auto arrived = receive(); messages++)
            receiver(std::as_const(*arrived));
        return messages;
    }

    /** Returns a snapshot: cn_sim_save(). */
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

    /** Makes a second simulation in the same state: cn_sim_copy(). */
    simulation copy(const cn_control *limits = nullptr) const
    {
        return simulation(make<sim>(cn_sim_copy, *this, limits));
    }

    /** Simulates @p cycles cycles: cn_sim_step(). */
    void step(uint64_t cycles = 1)
    {
        check(cn_sim_step(*this, cycles, nullptr));
    }

    /**
     * Steps to the next delivery; returns false when there is no delivery up to cycle @p limit:
     * cn_sim_step_until().
     */
    bool step_until(uint64_t limit)
    {
        return check(cn_sim_step_until(*this, limit, nullptr)) == CN_OK;
    }

    /** Returns the number of cycles simulated so far: cn_sim_cycle(). */
    uint64_t cycle() const noexcept
    {
        return cn_sim_cycle(*this);
    }

    /** Returns the cycle of the next event, or CN_NEVER: cn_sim_next_event(). */
    uint64_t next_event() const noexcept
    {
        return cn_sim_next_event(*this);
    }

    /** Returns the metrics measured so far: cn_sim_result(). */
    result measured() const
    {
        return make<result>(cn_sim_result, *this);
    }
};

} // namespace cubenet

#endif

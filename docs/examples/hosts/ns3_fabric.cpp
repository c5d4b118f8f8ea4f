/*
 * An ns-3 channel between applications: an event-driven host. The fabric has no event in cycles in
 * which nothing can happen in the network, so the microseconds between two bursts cost nothing.
 *
 * Eight clients and eight servers sit at the nodes of a 4 x 4 torus with wormhole switching, flits
 * of 8 bytes and cycles of 5 ns. A client sends a request, waits for the answer, thinks for some
 * microseconds and goes on. Packets are ns-3's, with their size and their tags; the network carries
 * only an address.
 *
 * Printed are for each message source, destination, flits, the cycle in which it was sent and that
 * in which it arrived; then how many cycles passed and how many events the fabric had.
 *
 * Compile it with
 *
 *     c++ -std=c++17 -o ns3_fabric ns3_fabric.cpp $(pkg-config --cflags --libs cubenet) -lns3-core
 *     -lns3-network
 *
 * On Debian that takes libns3-dev. With the flags of `pkg-config ns3-core` it takes libgsl-dev,
 * too.
 */
#include <cubenet.hpp>

#include <ns3/core-module.h>
#include <ns3/network-module.h>

#include <iostream>

using namespace ns3;

namespace
{

class Fabric : public Object
{
  public:
    using Receiver = Callback<void, uint64_t, Ptr<Packet>>; // the source and the packet

    explicit Fabric(const cn_scenario *scenario, Time cycle) : m_sim(scenario), m_cycle(cycle)
    {
        m_receivers.resize(16);
    }

    void SetReceiver(uint64_t node, Receiver receiver)
    {
        m_receivers[node] = receiver;
    }

    void Send(uint64_t source, uint64_t destination, Ptr<Packet> packet)
    {
        CatchUp();
        uint64_t flits = (packet->GetSize() + 7) / 8;
        m_sim.send(source, destination, m_packets.size(), flits);
        m_packets.push_back(packet);
        Plan();
    }

    ~Fabric() override
    {
        std::cout << "total " << m_sim.cycle() << " cycles, " << m_events << " events\n";
    }

  private:
    // To the present time. Nothing arrives on the way: there is an event for that.
    void CatchUp()
    {
        m_sim.step(static_cast<uint64_t>((Now() / m_cycle).GetHigh()) - m_sim.cycle());
    }

    void Plan()
    {
        uint64_t next = m_sim.next_event();
        m_event.Cancel();
        if (next != CN_NEVER)
            m_event = Simulator::Schedule(m_cycle * static_cast<int64_t>(next) - Now(),
                                          &Fabric::Advance, this);
    }

    void Advance()
    {
        m_events++;
        CatchUp();
        m_sim.deliver([this](const cn_delivery &d) {
            std::cout << "message " << d.source << ' ' << d.destination << ' ' << d.flits << ' '
                      << d.injected << ' ' << d.delivered << '\n';
            m_receivers[d.destination](d.source, std::exchange(m_packets[d.tag], nullptr));
        });
        Plan();
    }

    cubenet::simulation m_sim;
    Time m_cycle;
    EventId m_event;
    uint64_t m_events = 0;
    std::vector<Ptr<Packet>> m_packets;
    std::vector<Receiver> m_receivers;
};

class Server : public Application
{
  public:
    Server(Ptr<Fabric> fabric, uint64_t node) : m_fabric(fabric), m_node(node)
    {
    }

  private:
    void StartApplication() override
    {
        m_fabric->SetReceiver(m_node, MakeCallback(&Server::Receive, this));
    }

    // The answer is twelve times as long.
    void Receive(uint64_t source, Ptr<Packet> request)
    {
        m_fabric->Send(m_node, source, Create<Packet>(12 * request->GetSize()));
    }

    Ptr<Fabric> m_fabric;
    uint64_t m_node;
};

class Client : public Application
{
  public:
    Client(Ptr<Fabric> fabric, uint64_t node) : m_fabric(fabric), m_node(node)
    {
    }

  private:
    void StartApplication() override
    {
        m_fabric->SetReceiver(m_node, MakeCallback(&Client::Receive, this));
        Ask();
    }

    void Ask()
    {
        uint64_t server = 1 + 2 * ((m_node / 2 + 3 * m_asked) % 8);
        m_fabric->Send(m_node, server, Create<Packet>(16 + 8 * (m_asked % 3)));
    }

    void Receive(uint64_t, Ptr<Packet>)
    {
        if (++m_asked < 10)
            Simulator::Schedule(MicroSeconds(50 + 7 * (m_node % 4)), &Client::Ask, this);
    }

    Ptr<Fabric> m_fabric;
    uint64_t m_node, m_asked = 0;
};

} // namespace

int main()
{
    const uint64_t sides[] = {4, 4};
    auto torus = cubenet::make<cubenet::topology>(cn_topology_torus, &sides[0], 2u);
    auto scenario = cubenet::make<cubenet::scenario>(cn_scenario_new, torus, "wormhole");
    cubenet::check(cn_scenario_set_routing_name(scenario, "dimension-order"));
    NodeContainer nodes(16);
    auto fabric = Create<Fabric>(scenario.get(), NanoSeconds(5));
    for (uint64_t v = 0; v < 16; v++) {
        Ptr<Application> application;
        if (v % 2 == 0)
            application = Create<Client>(fabric, v);
        else
            application = Create<Server>(fabric, v);
        nodes.Get(static_cast<uint32_t>(v))->AddApplication(application);
        application->SetStartTime(MicroSeconds(v % 2 == 0 ? 1 : 0));
    }
    fabric = nullptr;
    Simulator::Run();
    Simulator::Destroy();
    return 0;
}

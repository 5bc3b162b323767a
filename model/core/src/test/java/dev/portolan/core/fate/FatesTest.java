package dev.portolan.core.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.fate.Fate.Share;
import dev.portolan.core.fate.Turn.Kept.Keeper;
import dev.portolan.core.fate.Turn.Masqueraded.Why;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FatesTest {
  private static final Endpoint HERE = new Endpoint(Ip.of("10.1.0.1"), 8080, "n1");
  private static final Endpoint ELSEWHERE = new Endpoint(Ip.of("10.2.0.1"), 8080, "n2");
  private static final Ip NODE = Ip.of("192.0.2.1");
  private static final Ip LOCALHOST = Ip.of("127.0.0.1");
  private static final List<Cidr> ALLOWED = List.of(Cidr.of("198.51.100.0/24"));
  private static final List<ServiceAddress> ADDRESSES =
      ServiceAddress.list(
          Ip.of("10.96.0.1"),
          80,
          List.of(Ip.of("192.0.2.7")),
          List.of(Ip.of("203.0.113.9")),
          30080);
  private static final ServiceAddress CLUSTER_IP = ADDRESSES.get(0);
  private static final ServiceAddress EXTERNAL_IP = ADDRESSES.get(1);
  private static final ServiceAddress LOAD_BALANCER = ADDRESSES.get(2);
  private static final ServiceAddress NODE_PORT = ADDRESSES.get(3);

  private static final NodeFacts FACTS = facts(false, true);
  private static final KnownClient POD = client("10.1.0.9", true);
  private static final KnownClient HOST = client("192.0.2.1", false);
  private static final KnownClient OUTSIDE = client("198.51.100.7", false);
  private static final KnownClient STRANGER = client("203.0.113.77", false);

  private static final Routes EVERYWHERE =
      Routes.of(Pool.CLUSTER, Verdict.FORWARD, Pool.CLUSTER, Verdict.FORWARD, Verdict.FORWARD);
  private static final Routes LOCAL_DROPPED =
      Routes.of(Pool.CLUSTER, Verdict.FORWARD, Pool.LOCAL, Verdict.DROP, Verdict.FORWARD);
  private static final Routes NOTHING =
      Routes.of(Pool.CLUSTER, Verdict.REJECT, Pool.CLUSTER, Verdict.REJECT, Verdict.REJECT);

  /** What the tests' own mode does differently; each overrides what it needs. */
  private interface Mode extends Dataplane {
    @Override
    default String name() {
      return "other";
    }
  }

  private static NodeFacts facts(boolean masqueradeAll, boolean detects) {
    return new NodeFacts(
        "n1",
        true,
        IpFamily.ALL,
        List.of(NODE),
        List.of(NODE, Ip.of("192.0.2.2")),
        "",
        List.of(Cidr.of("10.1.0.0/16")),
        new NodePortAddresses(false, List.of(Cidr.only(NODE))),
        NodePortAddresses.NONE,
        detects
            ? new LocalDetector.SourceRange(Cidr.of("10.1.0.0/16"))
            : new LocalDetector.Undetected(),
        new LocalDetector.Undetected(),
        List.of(),
        true,
        masqueradeAll);
  }

  private static KnownClient client(String address, boolean pod) {
    return KnownClient.at(Ip.of(address), pod, FACTS);
  }

  private static ServicePort port(Routes routes, int affinity, Balancing balancing) {
    return new ServicePort(
        new ServicePortName(new NamespacedName("shop", "web"), "http", Protocol.TCP),
        ADDRESSES,
        ALLOWED,
        affinity,
        balancing,
        routes,
        routes.equals(NOTHING) ? List.of() : List.of(HERE, ELSEWHERE),
        List.of(),
        List.of());
  }

  private static ServicePort port(Routes routes) {
    return port(routes, 0, Balancing.RANDOM);
  }

  private static Fate fate(
      Dataplane dataplane, KnownClient client, ServicePort port, ServiceAddress address) {
    return new Fates(FACTS, dataplane).of(client, port, address, address.address());
  }

  private static Fate exact(KnownClient client, Routes routes, ServiceAddress address) {
    return fate(Dataplane.EXACT, client, port(routes), address);
  }

  @Test
  void aPodKeepsItsAddress() {
    assertThat(exact(POD, EVERYWHERE, CLUSTER_IP))
        .isEqualTo(
            new Fate(
                Verdict.FORWARD,
                Optional.of(Pool.CLUSTER),
                List.of(new Share(HERE, 0.5, false), new Share(ELSEWHERE, 0.5, false)),
                List.of(new Turn.ByPolicy(Traffic.INTERNAL, false), new Turn.Chosen(0))));
  }

  @Test
  void othersAreMasqueraded() {
    Fate fate = exact(OUTSIDE, EVERYWHERE, CLUSTER_IP);
    assertThat(fate.turns()).endsWith(new Turn.Masqueraded(Why.NOT_A_POD));
    assertThat(fate.shares()).allMatch(Share::masquerade);
    assertThat(exact(POD, EVERYWHERE, EXTERNAL_IP).turns())
        .endsWith(new Turn.Masqueraded(Why.ANSWERS));
    assertThat(exact(HOST, LOCAL_DROPPED, EXTERNAL_IP).turns())
        .endsWith(new Turn.Masqueraded(Why.NODE_ITSELF));
    assertThat(
            new Fates(facts(true, true), Dataplane.EXACT)
                .of(POD, port(EVERYWHERE), CLUSTER_IP, CLUSTER_IP.address())
                .turns())
        .endsWith(new Turn.Masqueraded(Why.ALL_CLUSTER_IPS));
  }

  @Test
  void anEndpointThatReachesItselfIsMasqueraded() {
    Fate fate = exact(client("10.1.0.1", true), EVERYWHERE, CLUSTER_IP);
    assertThat(fate.turns()).endsWith(new Turn.Hairpin(HERE));
    assertThat(fate.shares()).extracting(Share::masquerade).containsExactly(true, false);
  }

  @Test
  void sourceRangesLetInAndShutOut() {
    assertThat(exact(OUTSIDE, EVERYWHERE, LOAD_BALANCER).turns())
        .startsWith(new Turn.LetIn(ALLOWED, false));
    assertThat(exact(STRANGER, EVERYWHERE, LOAD_BALANCER))
        .isEqualTo(Fate.ended(Verdict.DROP, new Turn.ShutOut(ALLOWED)));
    assertThat(exact(STRANGER, EVERYWHERE, EXTERNAL_IP).verdict()).isEqualTo(Verdict.FORWARD);
    // Nobody knows whether it is.
    assertThat(exact(KnownClient.outside(Optional.empty()), EVERYWHERE, LOAD_BALANCER).verdict())
        .isEqualTo(Verdict.DROP);
  }

  @Test
  void theNodeMayComeFromALoadBalancersAddressWhereItMayComeItself() {
    ServicePort port =
        new ServicePort(
            port(EVERYWHERE).name(),
            ADDRESSES,
            List.of(Cidr.only(NODE)),
            0,
            EVERYWHERE,
            List.of(HERE),
            List.of(),
            List.of());
    assertThat(fate(Dataplane.EXACT, client("203.0.113.9", false), port, LOAD_BALANCER).turns())
        .startsWith(new Turn.LetIn(List.of(Cidr.only(NODE)), true));
  }

  @Test
  void sourceRangesMayNotBeLookedAt() {
    Dataplane unfiltered =
        new Mode() {
          @Override
          public boolean filters(ServicePort port, ServiceAddress address) {
            return false;
          }
        };
    assertThat(fate(unfiltered, STRANGER, port(EVERYWHERE), LOAD_BALANCER).turns())
        .startsWith(new Turn.Unfiltered(ALLOWED, true));
  }

  @Test
  void theLocalPolicyHoldsForClientsOutside() {
    assertThat(exact(OUTSIDE, LOCAL_DROPPED, EXTERNAL_IP))
        .isEqualTo(
            new Fate(
                Verdict.DROP,
                Optional.of(Pool.LOCAL),
                List.of(),
                List.of(new Turn.ByPolicy(Traffic.EXTERNAL, false), new Turn.Dropped())));
    assertThat(exact(POD, LOCAL_DROPPED, EXTERNAL_IP).turns())
        .startsWith(new Turn.ByPolicy(Traffic.SHORT_CIRCUIT, false));
  }

  @Test
  void oneListForAllMakesThePolicyHoldForAll() {
    Dataplane alike =
        new Mode() {
          @Override
          public boolean hasOneListForAll() {
            return true;
          }
        };
    assertThat(fate(alike, POD, port(LOCAL_DROPPED), EXTERNAL_IP).turns())
        .containsExactly(new Turn.ByPolicy(Traffic.SHORT_CIRCUIT, true), new Turn.Dropped());
  }

  @Test
  void aModeMayFallBackToAllNodes() {
    Dataplane falling =
        new Mode() {
          @Override
          public Route route(ServicePort port, Traffic traffic) {
            return new Route(Verdict.FORWARD, Pool.CLUSTER, port.route(traffic).masquerade());
          }
        };
    assertThat(fate(falling, OUTSIDE, port(LOCAL_DROPPED), EXTERNAL_IP).turns())
        .contains(new Turn.Fallback(true), new Turn.Chosen(0));
    assertThat(fate(falling, HOST, port(LOCAL_DROPPED), EXTERNAL_IP).turns())
        .doesNotHaveAnyElementsOfTypes(Turn.Fallback.class);
  }

  @Test
  void withoutEndpointsItIsRejectedUnlessNoRuleSeesIt() {
    assertThat(exact(HOST, NOTHING, EXTERNAL_IP).turns()).endsWith(new Turn.Rejected());
    Dataplane blind =
        new Mode() {
          @Override
          public boolean endsOwnConnections() {
            return false;
          }
        };
    Fate unseen = fate(blind, HOST, port(NOTHING), EXTERNAL_IP);
    assertThat(unseen.verdict()).isEqualTo(Verdict.NONE);
    assertThat(unseen.turns()).endsWith(new Turn.Unseen());
    assertThat(fate(blind, OUTSIDE, port(NOTHING), EXTERNAL_IP).verdict())
        .isEqualTo(Verdict.REJECT);
    assertThat(fate(blind, HOST, port(NOTHING), CLUSTER_IP).verdict()).isEqualTo(Verdict.REJECT);
  }

  @Test
  void whatOnlyForwardsCannotRefuseAndLeavesTheSourceToTheSystem() {
    Dataplane forwarding =
        new Mode() {
          @Override
          public boolean forwardsOnly() {
            return true;
          }

          @Override
          public List<Endpoint> endpoints(ServicePort port, Pool pool) {
            return List.of(HERE);
          }

          @Override
          public boolean hashesClients() {
            return false;
          }
        };
    assertThat(fate(forwarding, OUTSIDE, port(NOTHING), CLUSTER_IP).turns())
        .endsWith(new Turn.NotRefused());
    assertThat(fate(forwarding, STRANGER, port(EVERYWHERE), LOAD_BALANCER).turns())
        .startsWith(new Turn.Unfiltered(ALLOWED, false));
    assertThat(List.of(forwarding.unusedPort(), forwarding.unassigned()))
        .containsOnly(Verdict.NONE);
    ServicePort port = port(EVERYWHERE, 60, Balancing.of(Balancing.Kind.MAGLEV, Map.of(HERE, 3)));
    assertThat(fate(forwarding, OUTSIDE, port, CLUSTER_IP))
        .isEqualTo(
            new Fate(
                Verdict.FORWARD,
                Optional.of(Pool.CLUSTER),
                List.of(new Share(HERE, 1, false)),
                List.of(
                    new Turn.ByPolicy(Traffic.INTERNAL, false),
                    new Turn.Chosen(1),
                    new Turn.Kept(Keeper.SYSTEM),
                    new Turn.Hashed(false),
                    new Turn.Unweighted(),
                    new Turn.LeftToSystem())));
  }

  @Test
  void weightsDecideOnSharesAndAHashOnlyComesNearThem() {
    ServicePort port = port(EVERYWHERE, 60, Balancing.of(Balancing.Kind.MAGLEV, Map.of(HERE, 3)));
    Fate fate = fate(Dataplane.EXACT, POD, port, CLUSTER_IP);
    assertThat(fate.turns())
        .contains(new Turn.Kept(Keeper.RULES), new Turn.Hashed(true), new Turn.Weighted(1, 3, 4));
    assertThat(fate.shares().getFirst().share()).isCloseTo(0.75, within(1e-9));
    assertThat(fate.isExact()).isFalse();
    assertThat(fate.isKept()).isTrue();
    assertThat(exact(POD, EVERYWHERE, CLUSTER_IP).isExact()).isTrue();
    assertThat(exact(POD, EVERYWHERE, CLUSTER_IP).isKept()).isFalse();
  }

  @Test
  void aSocketThatIsConnectedMeetsNoRule() {
    Dataplane connecting =
        new Mode() {
          @Override
          public boolean connectsSockets(
              ServicePort port, ServiceAddress address, NodeFacts facts) {
            return true;
          }
        };
    ServicePort port = port(EVERYWHERE, 60, Balancing.RANDOM);
    assertThat(fate(connecting, HOST, port, CLUSTER_IP).turns())
        .contains(new Turn.Kept(Keeper.SOCKETS))
        .endsWith(new Turn.Connected());
    assertThat(fate(connecting, OUTSIDE, port, CLUSTER_IP).turns())
        .contains(new Turn.Kept(Keeper.RULES))
        .endsWith(new Turn.Masqueraded(Why.NOT_A_POD));
  }

  @Test
  void aProxyInBetweenIsSeenInPlaceOfTheClient() {
    Dataplane relaying =
        new Mode() {
          @Override
          public boolean relays(Protocol protocol) {
            return true;
          }
        };
    Fate fate = fate(relaying, client("10.1.0.1", true), port(EVERYWHERE), CLUSTER_IP);
    assertThat(fate.turns()).endsWith(new Turn.Relayed());
    assertThat(fate.shares()).allMatch(Share::masquerade);
  }

  @Test
  void aNodeWithTheClusterIpConnectsFromThere() {
    Dataplane carrying =
        new Mode() {
          @Override
          public boolean carriesAddresses() {
            return true;
          }
        };
    Fates fates = new Fates(facts(false, false), carrying);
    assertThat(fates.of(HOST, port(EVERYWHERE), CLUSTER_IP, CLUSTER_IP.address()).turns())
        .endsWith(new Turn.Masqueraded(Why.OWN_CLUSTER_IP));
    assertThat(fates.of(OUTSIDE, port(EVERYWHERE), CLUSTER_IP, CLUSTER_IP.address()).turns())
        .endsWith(new Turn.Chosen(0));
  }

  @Test
  void onlyTheNodeItselfReachesItsLoopbackAddresses() {
    Fates fates = new Fates(FACTS, listening(IpFamily.IPV4));
    assertThat(fates.of(POD, port(EVERYWHERE), NODE_PORT, LOCALHOST))
        .isEqualTo(Fate.ended(Verdict.NONE, new Turn.NeverSent()));
    Fate fate = fates.of(HOST, port(EVERYWHERE, 60, Balancing.RANDOM), NODE_PORT, LOCALHOST);
    assertThat(fate.turns()).containsExactly(new Turn.Listened(), new Turn.Kept(Keeper.LISTENER));
    assertThat(fate.shares()).hasSize(2).noneMatch(Share::masquerade);
    assertThat(fates.of(HOST, port(LOCAL_DROPPED), NODE_PORT, LOCALHOST).turns())
        .containsExactly(new Turn.Listened(), new Turn.NotListening());
  }

  @Test
  void aNodePortEndsElsewhereAsTheModeHasIt() {
    Ip other = Ip.of("192.0.2.2");
    Fates exact = new Fates(FACTS, Dataplane.EXACT);
    assertThat(exact.servesNodePorts(NODE, Protocol.TCP)).isTrue();
    assertThat(exact.servesNodePorts(other, Protocol.TCP)).isFalse();
    assertThat(exact.servesNodePorts(LOCALHOST, Protocol.TCP)).isFalse();
    assertThat(exact.elsewhere(port(NOTHING), other)).isEqualTo(new Elsewhere.NotServed());
    Fates listening = new Fates(FACTS, listening(IpFamily.IPV4));
    assertThat(listening.servesNodePorts(LOCALHOST, Protocol.TCP)).isTrue();
    assertThat(listening.servesNodePorts(LOCALHOST, Protocol.UDP)).isFalse();
    assertThat(listening.elsewhere(port(EVERYWHERE), Ip.of("::1")))
        .isEqualTo(new Elsewhere.NotOnLocalhost());
    assertThat(listening.elsewhere(port(EVERYWHERE), other)).isEqualTo(new Elsewhere.NotServed());
    Dataplane everywhere =
        new Mode() {
          @Override
          public Verdict elsewhere(ServicePort port) {
            return Verdict.REJECT;
          }
        };
    assertThat(new Fates(FACTS, everywhere).elsewhere(port(NOTHING), other))
        .isEqualTo(new Elsewhere.Ended(Verdict.REJECT));
  }

  private static Dataplane listening(IpFamily family) {
    return new Mode() {
      @Override
      public Optional<Set<IpFamily>> listeners() {
        return Optional.of(Set.of(family));
      }
    };
  }
}

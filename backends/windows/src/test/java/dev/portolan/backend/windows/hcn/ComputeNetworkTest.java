package dev.portolan.backend.windows.hcn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.windows.hcn.HcnCalls.Kind;
import dev.portolan.testkit.windows.HnsJournal;
import dev.portolan.testkit.windows.NeedsWindows;
import java.util.Locale;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls reach the service, as Windows' libraries take them, and what it refuses is said. */
@NeedsWindows
final class ComputeNetworkTest {
  private static final String ALL = "{\"SchemaVersion\":{\"Major\":2,\"Minor\":0},\"Flags\":0}";
  private static final UUID NETWORK = UUID.fromString("a1b2c3d4-0000-4000-8000-000000000001");
  private static final UUID BALANCER = UUID.fromString("a1b2c3d4-0000-5000-8000-00000000000b");
  private static final UUID CHOOSE = new UUID(0, 0);

  private final ComputeNetwork calls = new ComputeNetwork();
  private HnsJournal hns;

  @BeforeEach
  void aNetwork() {
    hns =
        HnsJournal.startWith(
            "network {\"ID\":\"" + text(NETWORK) + "\",\"Name\":\"cbr0\",\"Type\":\"L2Bridge\"}");
  }

  @Test
  void saysItsVersion() {
    assertThat(calls.version()).contains("\"Major\":15,\"Minor\":4");
    hns.append("version 9.2");
    assertThat(calls.version()).contains("\"Major\":9,\"Minor\":2");
  }

  @Test
  void findsANetworkByItsName() {
    assertThat(calls.enumerate(Kind.NETWORK, named("cbr0")))
        .isEqualTo("[\"" + text(NETWORK) + "\"]");
    assertThat(calls.enumerate(Kind.NETWORK, named("cbr1"))).isEqualTo("[]");
    assertThat(calls.properties(Kind.NETWORK, NETWORK, ALL)).contains("L2Bridge");
  }

  @Test
  void keepsEndpointsAndLoadBalancersUntilTheyAreDeleted() {
    UUID endpoint = endpoint("10.1.0.7");
    assertThat(hns.endpoints().get(text(endpoint))).contains("10.1.0.7", text(NETWORK));
    String made = calls.createLoadBalancer(BALANCER, balancer(endpoint, "10.96.0.1", 80), ALL);
    assertThat(made).contains("\"ID\":\"" + text(BALANCER) + "\"", text(endpoint));
    UUID second = endpoint("10.1.0.8");
    String changed = calls.modifyLoadBalancer(BALANCER, balancer(second, "10.96.0.1", 80), ALL);
    assertThat(changed).contains(text(second)).doesNotContain(text(endpoint));
    assertThat(hns.loadBalancers()).containsOnlyKeys(text(BALANCER));

    calls.delete(Kind.LOAD_BALANCER, BALANCER);
    calls.delete(Kind.ENDPOINT, second);
    assertThat(hns.loadBalancers()).isEmpty();
    assertThat(hns.endpoints()).containsOnlyKeys(text(endpoint));
    assertThat(hns.calls().stream().filter(call -> call.startsWith("HcnClose")))
        .as("every handle is closed")
        .hasSize(opened());
  }

  @Test
  void refusesWhatHnsRefuses() {
    UUID endpoint = endpoint("10.1.0.7");
    calls.createLoadBalancer(BALANCER, balancer(endpoint, "10.96.0.1", 80), ALL);
    refused(
        0x803b0013,
        () -> calls.createLoadBalancer(CHOOSE, balancer(endpoint, "10.96.0.1", 80), ALL));
    refused(
        0x803b0002,
        () -> calls.createLoadBalancer(CHOOSE, balancer(NETWORK, "10.96.0.1", 81), ALL));
    refused(
        0xb7, () -> calls.createLoadBalancer(BALANCER, balancer(endpoint, "10.96.0.1", 82), ALL));
    refused(0x803b001e, () -> calls.createLoadBalancer(CHOOSE, balancer(endpoint, "ten", 83), ALL));
    refused(0x803b001b, () -> calls.createLoadBalancer(CHOOSE, "{", ALL));
    refused(0x803b000c, () -> calls.delete(Kind.ENDPOINT, endpoint));
    refused(0x490, () -> calls.delete(Kind.LOAD_BALANCER, CHOOSE));
    refused(0x803b0001, () -> calls.createEndpoint(CHOOSE, CHOOSE, "{}", ALL));
  }

  @Test
  void failsAsItIsTold() {
    hns.append("fail HcnEnumerateNetworks 0x803b0020 1");
    refused(0x803b0020, () -> calls.enumerate(Kind.NETWORK, ALL));
    assertThat(calls.enumerate(Kind.NETWORK, ALL)).contains(text(NETWORK));
    hns.append("fail * 0x800706b5");
    refused(0x6b5, calls::version);
    refused(0x6b5, () -> calls.enumerate(Kind.ENDPOINT, ALL));
    hns.append("work");
    assertThat(calls.enumerate(Kind.ENDPOINT, ALL)).isEqualTo("[]");
  }

  private int opened() {
    return (int)
        hns.calls().stream()
            .filter(call -> call.startsWith("HcnOpen") || call.startsWith("HcnCreate"))
            .count();
  }

  private UUID endpoint(String address) {
    String made =
        calls.createEndpoint(
            NETWORK,
            CHOOSE,
            "{\"IpConfigurations\":[{\"IpAddress\":\"" + address + "\"}],\"Flags\":1}",
            ALL);
    return UUID.fromString(made.replaceFirst(".*\"ID\":\"([^\"]*)\".*", "$1"));
  }

  private static String balancer(UUID endpoint, String vip, int port) {
    return """
    {"HostComputeEndpoints":["%s"],"FrontendVIPs":["%s"],
     "PortMappings":[{"Protocol":6,"InternalPort":8080,"ExternalPort":%d}]}
    """
        .formatted(endpoint, vip, port);
  }

  private static String named(String name) {
    return "{\"Filter\":\"{\\\"Name\\\":\\\"" + name + "\\\"}\"}";
  }

  /** As HNS writes it. */
  private static String text(UUID id) {
    return id.toString().toUpperCase(Locale.ROOT);
  }

  private static void refused(int status, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(HcnException.class)
        .hasMessageContaining("failed with 0x%x".formatted(status));
  }
}

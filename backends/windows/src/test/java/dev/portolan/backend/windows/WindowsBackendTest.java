package dev.portolan.backend.windows;

import static dev.portolan.backend.windows.HnsNode.NETWORK;
import static dev.portolan.backend.windows.HnsNode.balancer;
import static dev.portolan.backend.windows.HnsNode.balancers;
import static dev.portolan.backend.windows.HnsNode.changes;
import static dev.portolan.backend.windows.HnsNode.endpoint;
import static dev.portolan.backend.windows.HnsNode.network;
import static dev.portolan.backend.windows.HnsNode.pod;
import static dev.portolan.backend.windows.HnsNode.podId;
import static dev.portolan.backend.windows.HnsNode.remotes;
import static dev.portolan.backend.windows.HnsNode.subnet;
import static dev.portolan.backend.windows.HnsNode.text;
import static dev.portolan.backend.windows.TestService.image;
import static dev.portolan.backend.windows.TestService.named;
import static dev.portolan.backend.windows.TestService.web;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.windows.hcn.ComputeNetwork;
import dev.portolan.core.net.Ip;
import dev.portolan.testkit.windows.HnsJournal;
import dev.portolan.testkit.windows.NeedsWindows;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Load balancers in a Host Network Service. */
@NeedsWindows
final class WindowsBackendTest extends OnHns {
  private static final UUID FOREIGN = UUID.fromString("deadbeef-0000-4000-8000-00000000000f");

  @Test
  void servicesBecomeLoadBalancersAndOnlyWhatChangesIsWritten() {
    WindowsBackend backend = open();
    sync(
        backend,
        web().to("10.1.0.1:8080", "10.1.7.5:8080@worker-1").nodePort(30080),
        named("dns", "10.96.0.11").to("10.1.0.1:53"));
    assertThat(balancers(hns))
        .containsExactly(
            "10.96.0.10:80 -> 10.1.0.1 10.1.7.5 :8080",
            "10.96.0.11:80 -> 10.1.0.1 :53",
            ":30080 -> 10.1.0.1 10.1.7.5 :8080");
    assertThat(remotes(hns)).containsExactly("10.1.0.1");

    hns.mark();
    sync(
        backend,
        web().to("10.1.0.2:8080", "10.1.7.5:8080@worker-1").nodePort(30080),
        named("dns", "10.96.0.11").to("10.1.0.1:53"));
    assertThat(changes(hns))
        .as("one endpoint comes, its two load balancers change, and the old one is still used")
        .containsExactly("HcnCreateEndpoint", "HcnModifyLoadBalancer", "HcnModifyLoadBalancer");
    assertThat(hns.calls()).filteredOn(call -> call.startsWith("HcnEnumerate")).hasSize(1);

    hns.mark();
    sync(backend, web().to("10.1.0.2:8080", "10.1.7.5:8080@worker-1").nodePort(30080));
    assertThat(changes(hns)).containsExactly("HcnDeleteLoadBalancer", "HcnDeleteEndpoint");
    assertThat(remotes(hns)).containsExactly("10.1.0.2");

    hns.mark();
    sync(backend, web().nodePort(30080));
    assertThat(hns.loadBalancers()).as("HNS cannot reject").isEmpty();
    assertThat(hns.endpoints()).as("that of the pod stays").hasSize(1);
  }

  @Test
  void anAddressMovesFromOneServiceToAnotherInOneChange() {
    WindowsBackend backend = open();
    sync(
        backend,
        web().to("10.1.0.1:80").nodePort(30080),
        named("b", "10.96.0.11").to("10.1.0.2:80"));
    sync(
        backend,
        web().to("10.1.0.1:80"),
        named("b", "10.96.0.11").to("10.1.0.2:80").nodePort(30080));
    assertThat(balancers(hns)).contains(":30080 -> 10.1.0.2 :80").hasSize(3);
  }

  @Test
  void aRestartFindsItsOwnAndLeavesAloneWhatOthersMade() {
    hns.append(endpoint(FOREIGN, "10.9.9.9", true), balancer(FOREIGN, FOREIGN, "10.96.0.99", 99));
    sync(open(), web().to("10.1.0.1:80"), named("b", "10.96.0.11").to("10.1.0.2:80"));
    assertThat(balancers(hns)).hasSize(3);

    hns.mark();
    WindowsBackend second = open();
    assertThat(second.isBlank()).isFalse();
    assertThat(second.preview(image(9, web().to("10.1.0.1:80"))))
        .singleElement()
        .asString()
        .startsWith("- load balancer 706f7274-6f6c-8");
    syncFirst(second, web().to("10.1.0.1:80"), named("b", "10.96.0.11").to("10.1.0.2:80"));
    assertThat(changes(hns)).as("everything is as it was").isEmpty();
    assertThat(second.dump())
        .contains("HNS 15.4")
        .anyMatch(line -> line.startsWith("ours ") && line.contains("10.96.0.10"))
        .anyMatch(line -> line.startsWith("others ") && line.contains("10.96.0.99"))
        .anyMatch(line -> line.startsWith("others ") && line.contains("10.1.7.5"));

    syncFirst(open(), web().to("10.1.0.1:80"));
    assertThat(changes(hns)).containsExactly("HcnDeleteLoadBalancer", "HcnDeleteEndpoint");
    assertThat(hns.loadBalancers()).containsKey(text(FOREIGN));
    open().cleanup();
    assertThat(hns.loadBalancers()).containsOnlyKeys(text(FOREIGN));
    assertThat(remotes(hns)).containsExactly("10.9.9.9");
    assertThat(open().isBlank()).isTrue();
  }

  @Test
  void whatAnotherProxyLeftAtOurAddressIsReplacedAndSaid() {
    hns.append(
        endpoint(FOREIGN, "10.1.0.1", true),
        balancer(FOREIGN, FOREIGN, "10.96.0.10", 80),
        balancer(podId("10.1.7.5"), FOREIGN, "10.96.0.77", 80));
    WindowsBackend backend = open();
    sync(backend, web().to("10.1.0.1:8080"));
    assertThat(balancers(hns))
        .containsExactly("10.96.0.10:80 -> 10.1.0.1 :8080", "10.96.0.77:80 -> 10.1.0.1 :1");
    assertThat(backend.replaced())
        .containsExactly("load balancer " + FOREIGN + " at 10.96.0.10:80");
    assertThat(remotes(hns)).as("its endpoint is used as it is").containsExactly("10.1.0.1");
    sync(backend);
    assertThat(remotes(hns)).as("and never deleted").containsExactly("10.1.0.1");

    hns.append(balancer(FOREIGN, FOREIGN, "10.96.0.10", 80));
    sync(backend, web().to("10.1.0.1:8080"));
    assertThat(balancers(hns)).as("also while it runs").contains("10.96.0.10:80 -> 10.1.0.1 :8080");
  }

  @Test
  void withoutModifyALoadBalancerIsMadeAgain() {
    hns.append("version 15.3");
    WindowsBackend old = open();
    sync(old, web().to("10.1.0.1:80"));
    hns.mark();
    sync(old, web().to("10.1.0.2:80"));
    assertThat(changes(hns))
        .containsExactly(
            "HcnCreateEndpoint",
            "HcnDeleteLoadBalancer",
            "HcnCreateLoadBalancer",
            "HcnDeleteEndpoint");
    assertThat(balancers(hns)).containsExactly("10.96.0.10:80 -> 10.1.0.2 :80");

    hns.append("version 15.4", "fail HcnModifyLoadBalancer 0x80004001");
    applied = NOTHING;
    WindowsBackend liar = open();
    sync(liar, web().to("10.1.0.1:80"));
    assertThat(balancers(hns)).containsExactly("10.96.0.10:80 -> 10.1.0.1 :80");
    hns.mark();
    sync(liar, web().to("10.1.0.3:80"));
    assertThat(changes(hns)).as("it is not tried again").doesNotContain("HcnModifyLoadBalancer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"refuse", "choose"})
  void identifiersThatHnsDoesNotTakeAreKeptInAFile(String how) throws Exception {
    hns.append("ids " + how);
    sync(open(), web().to("10.1.0.1:80").nodePort(30080));
    assertThat(balancers(hns))
        .containsExactly("10.96.0.10:80 -> 10.1.0.1 :80", ":30080 -> 10.1.0.1 :80");
    assertThat(hns.loadBalancers().keySet()).noneMatch(id -> id.startsWith("706F7274"));
    assertThat(Files.readAllLines(folder.resolve("ids"))).hasSize(3);

    hns.mark();
    WindowsBackend second = open();
    assertThat(second.isBlank()).isFalse();
    syncFirst(second, web().to("10.1.0.1:80").nodePort(30080));
    assertThat(changes(hns)).as("the file says which are ours").isEmpty();
    sync(second, web().to("10.1.0.2:80"));
    assertThat(balancers(hns)).containsExactly("10.96.0.10:80 -> 10.1.0.2 :80");
    assertThat(remotes(hns)).containsExactly("10.1.0.2");
    hns.loadBalancers().keySet().forEach(id -> hns.append("delete loadbalancer " + id));
    syncFirst(open(), web().to("10.1.0.2:80"));
    assertThat(Files.readAllLines(folder.resolve("ids")))
        .as("what a reboot took is forgotten, and its lines are gone")
        .hasSize(2);
    open().cleanup();
    assertThat(hns.loadBalancers()).isEmpty();
    assertThat(remotes(hns)).isEmpty();
  }

  @Test
  void anOverlayNeedsProvidersAndASourceVip() {
    hns =
        HnsJournal.startWith(
            network(NETWORK, "Overlay", subnet("10.1.0.0/24", "192.168.0.12")), pod("10.1.7.5"));
    assertThatThrownBy(() -> sync(open(), web().to("10.1.0.1:80")))
        .hasMessageContaining("needs a source VIP; set winkernel.sourceVip or --source-vip");
    WindowsBackend backend = overlay(true);
    sync(backend, web().to("10.1.0.1:80", "10.1.7.5:80@worker-1"));
    assertThat(remotes(hns)).as("the cluster IP, too").containsExactly("10.1.0.1", "10.96.0.10");
    assertThat(hns.endpoints().values())
        .anyMatch(json ->
            json.contains("10.1.0.1\"") && json.contains("\"ProviderAddress\":\"192.168.0.12\""))
        .anyMatch(json ->
            json.contains("10.96.0.10\"")
                && json.contains("\"ProviderAddress\":\"192.168.0.11\"")
                && json.contains("00-15-5D-AA-BB-CC"))
        .anyMatch(json -> json.contains("10.1.7.2\"") && json.contains("\"Flags\":0"));
    assertThat(hns.loadBalancers().values())
        .singleElement()
        .asString()
        .contains("\"SourceVIP\":\"10.1.7.2\"");

    hns.append(network(NETWORK, "Overlay", subnet("10.1.0.0/24", "192.168.0.13")));
    sync(backend, web().to("10.1.0.1:80", "10.1.7.5:80@worker-1"));
    assertThat(hns.endpoints().values())
        .as("its pods moved to another node")
        .anyMatch(json -> json.contains("\"ProviderAddress\":\"192.168.0.13\""))
        .noneMatch(json -> json.contains("\"ProviderAddress\":\"192.168.0.12\""));
    assertThat(balancers(hns)).containsExactly("10.96.0.10:80 -> 10.1.0.1 10.1.7.5 :80");
    assertThatThrownBy(() -> sync(overlay(false), web().to("10.1.0.1:80")))
        .hasMessageContaining("the feature gate WinOverlay is off");
  }

  /** Right after a boot the CNI plugin may not have configured yet where other nodes are. */
  @Test
  void anOverlayGetsTimeToLearnWhereOtherNodesAre() throws Exception {
    hns = HnsJournal.startWith(network(NETWORK, "Overlay", ""));
    WindowsBackend backend = overlay(true, Duration.ofMinutes(1));
    Thread plugin =
        Thread.ofVirtual()
            .start(() -> {
              while (hns.calls().stream().noneMatch(call -> call.startsWith("HcnCloseNetwork"))) {
                Thread.onSpinWait();
              }
              hns.append(network(NETWORK, "Overlay", subnet("10.1.0.0/24", "192.168.0.12")));
            });
    sync(backend, web().to("10.1.0.1:80"));
    plugin.join();
    assertThat(hns.endpoints().values())
        .anyMatch(json -> json.contains("\"ProviderAddress\":\"192.168.0.12\""));
  }

  @Test
  void onePodServesBothFamilies() {
    hns.append(
        pod("10.1.7.6")
            .replace(
                "\"PrefixLength\":24}]",
                "\"PrefixLength\":24},{\"IpAddress\":\"fd00:10:1::6\",\"PrefixLength\":64}]"));
    sync(
        open(),
        web().to("10.1.7.6:80@worker-1").nodePort(30080),
        named("six", "fd00:10:96::a")
            .to("[fd00:10:1::6]:80@worker-1", "[fd00:10:1::7]:80")
            .nodePort(30080));
    assertThat(hns.loadBalancers()).hasSize(4);
    assertThat(hns.loadBalancers().values())
        .filteredOn(json -> json.contains("\"Flags\":2,\"ID\""))
        .as("those of IPv6, at the same nodePort as that of IPv4")
        .hasSize(2)
        .allMatch(json -> json.contains(text(podId("10.1.7.6"))));
    assertThat(remotes(hns)).containsExactly("fd00:10:1::7");
  }

  @Test
  void healthChecksGoToTheEndpointOfTheNode() {
    WindowsOptions checks =
        new WindowsOptions(
            "cbr0",
            Optional.empty(),
            false,
            true,
            true,
            "root",
            10256,
            folder.resolve("ids"),
            Duration.ZERO);
    WindowsBackend backend = new WindowsBackend(checks);
    TestService service = web().to("10.1.0.1:80").loadBalancerIp("198.51.100.7");
    assertThatThrownBy(() -> sync(backend, service))
        .hasMessageContaining("HNS has no endpoint root; set winkernel.rootHnsEndpointName");
    assertThat(balancers(hns)).hasSize(2);
    hns.append(endpoint(FOREIGN, "10.1.7.1", false).replace("of 10.1.7.1", "root"));
    sync(backend, service);
    assertThat(balancers(hns)).contains("198.51.100.7:10256 -> 10.1.7.1 :10256");
  }

  /** Calls for one change do not grow with the number of services. */
  @Test
  void costFollowsTheChange() {
    WindowsBackend backend = open();
    TestService[] many = new TestService[1000];
    for (int i = 0; i < many.length; i++) {
      many[i] = named("s" + i, "10.96.%d.%d".formatted(i / 250, i % 250 + 1)).to("10.1.0.1:80");
    }
    sync(backend, many);
    hns.mark();
    many[500] = named("s500", "10.96.2.1").to("10.1.0.1:80", "10.1.0.2:80");
    sync(backend, many);
    assertThat(hns.calls()).hasSizeLessThan(20);
    assertThat(changes(hns)).containsExactly("HcnCreateEndpoint", "HcnModifyLoadBalancer");
  }

  private WindowsBackend overlay(boolean allowed) {
    return overlay(allowed, Duration.ZERO);
  }

  private WindowsBackend overlay(boolean allowed, Duration subnetWait) {
    WindowsOptions options =
        new WindowsOptions(
            "cbr0",
            Optional.of(Ip.of("10.1.7.2")),
            false,
            allowed,
            false,
            "cbr0",
            0,
            folder.resolve("ids"),
            subnetWait);
    return new WindowsBackend(options, new ComputeNetwork(), _ -> Optional.of("00-15-5D-AA-BB-CC"));
  }
}

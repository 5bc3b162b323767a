package dev.portolan.core.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
  private static Target service(String namespace, String name, String port) {
    return new Target.OfService(new NamespacedName(namespace, name), port, Optional.empty());
  }

  @Test
  void readsServices() {
    assertThat(Target.parse("web")).isEqualTo(service("default", "web", ""));
    assertThat(Target.parse("shop/web")).isEqualTo(service("shop", "web", ""));
    assertThat(Target.parse("shop/web:http")).isEqualTo(service("shop", "web", "http"));
    assertThat(Target.parse("web:80")).isEqualTo(service("default", "web", "80"));
    assertThat(Target.parse("shop/tcp")).isEqualTo(service("shop", "tcp", ""));
    assertThat(Target.parse("kube-system/kube-dns:dns/UDP"))
        .isEqualTo(
            new Target.OfService(
                new NamespacedName("kube-system", "kube-dns"), "dns", Optional.of(Protocol.UDP)));
  }

  @Test
  void readsAddressesAndNodePorts() {
    Optional<Protocol> udp = Optional.of(Protocol.UDP);
    assertThat(Target.parse("10.96.0.10:53/udp"))
        .isEqualTo(new Target.OfAddress(Ip.of("10.96.0.10"), 53, udp));
    assertThat(Target.parse("10.96.0.10"))
        .isEqualTo(new Target.OfAddress(Ip.of("10.96.0.10"), 0, Optional.empty()));
    assertThat(Target.parse("[fd00::1]:80"))
        .isEqualTo(new Target.OfAddress(Ip.of("fd00::1"), 80, Optional.empty()));
    assertThat(Target.parse("fd00::1"))
        .isEqualTo(new Target.OfAddress(Ip.of("fd00::1"), 0, Optional.empty()));
    assertThat(Target.parse("30080")).isEqualTo(new Target.OfNodePort(30080, Optional.empty()));
    assertThat(Target.parse(":30080/udp")).isEqualTo(new Target.OfNodePort(30080, udp));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a/b/c",
        "/",
        ":",
        "shop/",
        "shop/web:",
        "10.96.0.10:0",
        "10.96.0.10:99999",
        "10.96.0.10:http",
        "99999999999999",
        "Shop/Web",
        "x\u0000y",
        "[fd00::1",
        "10.0.0.300:80"
      })
  void refusesTheRestWithASentence(String text) {
    assertThatThrownBy(() -> Target.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void readsClients() {
    assertThat(Client.parse("pod")).isEqualTo(new Client.Pod());
    assertThat(Client.parse("node")).isEqualTo(new Client.Host());
    assertThat(Client.parse("external")).isEqualTo(new Client.External());
    assertThat(Client.parse("fd00::1")).isEqualTo(new Client.At(Ip.of("fd00::1")));
    assertThatThrownBy(() -> Client.parse("pods"))
        .hasMessage("'pods' is not a valid client; write pod, node, external or an IP address");
  }
}

package dev.portolan.explain;

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

  @Test
  void readsNamesOfDns() {
    assertThat(Target.parse("web.shop.svc")).isEqualTo(service("shop", "web", ""));
    assertThat(Target.parse("web.shop.svc:80")).isEqualTo(service("shop", "web", "80"));
    assertThat(Target.parse("web.shop.svc.cluster.local:http"))
        .isEqualTo(service("shop", "web", "http"));
    assertThat(Target.parse("web", "shop")).isEqualTo(service("shop", "web", ""));
    assertThat(Target.parse("web.shop.svc", "other")).isEqualTo(service("shop", "web", ""));
  }

  @Test
  void readsUrls() {
    Optional<Protocol> tcp = Optional.of(Protocol.TCP);
    NamespacedName web = new NamespacedName("shop", "web");
    assertThat(Target.parse("http://10.96.0.10"))
        .isEqualTo(new Target.OfAddress(Ip.of("10.96.0.10"), 80, tcp));
    assertThat(Target.parse("https://[fd00::1]/"))
        .isEqualTo(new Target.OfAddress(Ip.of("fd00::1"), 443, tcp));
    assertThat(Target.parse("http://user:password@web.shop.svc:8080/path?q=a:b/c#d"))
        .isEqualTo(new Target.OfService(web, "8080", tcp));
    assertThat(Target.parse("HTTPS://web.shop.svc"))
        .isEqualTo(new Target.OfService(web, "443", tcp));
    assertThat(Target.parse("http://web", "shop")).isEqualTo(new Target.OfService(web, "80", tcp));
    assertThat(Target.parse("udp://10.96.0.10:53"))
        .isEqualTo(new Target.OfAddress(Ip.of("10.96.0.10"), 53, Optional.of(Protocol.UDP)));
    assertThat(Target.parse("http://localhost:30080"))
        .isEqualTo(new Target.OfAddress(Ip.of("127.0.0.1"), 30080, tcp));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "web",
        "shop/web:http/TCP",
        "shop/web/UDP",
        "10.96.0.10",
        "10.96.0.10:53/UDP",
        "[fd00::1]:80",
        "fd00::1/SCTP",
        "30080",
        "30080/UDP",
        "http://web.shop.svc"
      })
  void isWrittenAsItIsRead(String text) {
    Target target = Target.parse(text);
    assertThat(Target.parse(target.toString())).isEqualTo(target);
  }

  @ParameterizedTest
  @ValueSource(strings = {"30080/quic", "shop/web:80/quic", "10.96.0.10:53/dns", "fd00::1/quic"})
  void aProtocolThatIsNoneIsNamed(String text) {
    assertThatThrownBy(() -> Target.parse(text))
        .hasMessageEndingWith("is not a protocol; write tcp, udp or sctp");
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
        "10.0.0.300:80",
        "web.shop",
        "ftp://10.96.0.10",
        "tcp://",
        "http://"
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
        .hasMessage(
            "'pods' is not a valid client; write pod, pod/NAMESPACE/NAME, node, external or an IP"
                + " address");
    assertThat(Client.parse("pod/shop/web-0"))
        .isEqualTo(new Client.NamedPod(new NamespacedName("shop", "web-0")));
    assertThatThrownBy(() -> Client.parse("pod/web-0"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

package dev.portolan.takeover;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.lab.TestNamespace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Rules of iptables in one variant and family, inside a namespace. */
record SampleRules(TestNamespace place, String variant, AddressFamily family) {
  /** Writes what kube-proxy writes. */
  void layKubeProxy() {
    lay(text("kube-proxy.rules"));
  }

  /** Writes what others write. */
  void layForeign() {
    lay(text("foreign.rules"));
  }

  /** Adds rules to what is there. */
  void lay(String rules) {
    place.runWithInput(rules, program("restore"), "--noflush");
  }

  /** All rules, without comments and counters, which depend on time and traffic. */
  String save() {
    return place
        .run(program("save"))
        .replaceAll("(?m)^#.*\\R", "")
        .replaceAll("(?m)\\[[0-9]+:[0-9]+]$", "");
  }

  private String program(String verb) {
    return family.word() + "tables-" + variant + "-" + verb;
  }

  private String text(String name) {
    try (InputStream stream = SampleRules.class.getResourceAsStream("/takeover/" + name)) {
      String text =
          new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
      return family == AddressFamily.IPV6
          ? text.replace("VIP2", "fd96::2")
              .replace("VIP", "fd96::1")
              .replace("POD1", "fd24::1")
              .replace("POD2", "fd24::2")
              .replace("RANGE", "fd24::/64")
              .replace("with REJECT", "with icmp6-port-unreachable")
              .replace("-d LB", "-d fdbb::1")
          : text.replace("VIP2", "10.96.0.2")
              .replace("VIP", "10.96.0.1")
              .replace("[POD1]", "10.244.0.1")
              .replace("[POD2]", "10.244.0.2")
              .replace("POD1", "10.244.0.1")
              .replace("POD2", "10.244.0.2")
              .replace("RANGE", "10.244.0.0/16")
              .replace("with REJECT", "with icmp-port-unreachable")
              .replace("-d LB", "-d 192.0.2.80");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

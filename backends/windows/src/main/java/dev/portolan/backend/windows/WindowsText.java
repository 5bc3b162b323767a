package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.HcnNetwork;
import dev.portolan.backend.windows.hcn.HnsVersion;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** The load balancers of a node as text, for people; no HNS is asked, so one is assumed. */
public final class WindowsText {
  private static final HnsVersion ASSUMED = new HnsVersion(15, 4);

  private WindowsText() {}

  /** Those of one family. A source VIP means that the network is an overlay. */
  public static String of(NodeImage image, IpFamily family, WindowsOptions options) {
    String type = options.sourceVip().isPresent() ? "Overlay" : "L2Bridge";
    HcnNetwork network = new HcnNetwork(new UUID(0, 0), options.network(), type, List.of());
    BalancerPlan plan = new BalancerPlan(options, ASSUMED, network, image.facts());
    List<Balancer> balancers = new ArrayList<>();
    image.services().forEach(service -> balancers.addAll(plan.of(service)));
    StringBuilder text =
        new StringBuilder(
            "# %s load balancers of HNS %s in a network %s\n".formatted(family, ASSUMED, type));
    balancers.stream()
        .filter(balancer -> balancer.family() == family)
        .sorted(Comparator.comparing(Balancer::toString))
        .forEach(balancer -> print(balancer, text));
    return text.toString();
  }

  private static void print(Balancer balancer, StringBuilder text) {
    text.append(balancer)
        .append("\n  id ")
        .append(balancer.id())
        .append("\n  ")
        .append(protocol(balancer.port().protocol()))
        .append(' ')
        .append(balancer.port().external())
        .append(" to ")
        .append(balancer.port().internal())
        .append('\n');
    balancer.sourceVip().ifPresent(vip -> text.append("  from ").append(vip).append('\n'));
    balancer
        .members()
        .forEach(member ->
            text.append("  endpoint ")
                .append(member.address())
                .append(member.local() ? " local\n" : " remote\n"));
  }

  private static String protocol(int number) {
    return switch (number) {
      case 6 -> "tcp";
      case 17 -> "udp";
      default -> "sctp";
    };
  }
}

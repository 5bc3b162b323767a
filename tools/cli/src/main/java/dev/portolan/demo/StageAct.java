package dev.portolan.demo;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.lab.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows the hosts and their services. */
final class StageAct implements Act {
  @Override
  public void play(DemoStage stage, Page page) {
    page.lines(drawing());
    page.gap();
    page.text("Each of them is a network namespace on this machine; each pod runs a server.");
    page.gap();
    List<String> services = services(stage);
    page.lines(services);
    page.gap();
    page.check(
        services.size() == 4,
        "revision "
            + stage.diary().last().revision()
            + " of 4 services was written to worker-1's kernel in "
            + Page.time(stage.diary().last().took()));
  }

  private static List<String> drawing() {
    List<String> lines = new ArrayList<>();
    lines.add("                  outside  " + ip(Actor.OUTSIDE) + ", a customer");
    lines.add("                              │");
    lines.add("        ┌─────────────────────┴─────────────────────┐");
    lines.add(pair("worker-1  " + ip(Actor.NODE), "worker-2  " + ip(Actor.OTHER_NODE)));
    for (int i = 0; i < Actor.PODS_A.size(); i++) {
      String branch = i == Actor.PODS_A.size() - 1 ? "    └─ " : "    ├─ ";
      Actor left = Actor.PODS_A.get(i);
      Actor right = Actor.PODS_B.get(i);
      lines.add(pair(branch + left + "  " + ip(left), branch + right + "  " + ip(right)));
    }
    return lines;
  }

  private static String pair(String left, String right) {
    return String.format(Locale.ROOT, "    %-43s %s", left, right).stripTrailing();
  }

  private static Ip ip(Actor actor) {
    return actor.address(IpFamily.IPV4);
  }

  private static List<String> services(DemoStage stage) {
    List<String> lines = new ArrayList<>();
    for (NodeService service : stage.image().services()) {
      for (ServicePort port : service.ports()) {
        lines.add(service(port));
      }
    }
    return lines;
  }

  private static String service(ServicePort port) {
    ServiceAddress address =
        port.addresses().stream()
            .filter(it -> it.kind() == ServiceAddress.Kind.LOAD_BALANCER_IP)
            .findFirst()
            .orElse(port.clusterIp());
    List<String> pods = port.cluster().stream().map(StageAct::pod).toList();
    return String.format(
            Locale.ROOT,
            "%-16s %-16s %-23s %s",
            port.name().service(),
            address.address().withPort(address.port()),
            pods.isEmpty() ? "no pod" : String.join(" ", pods),
            port.routes().shortCircuits() ? "policy Local" : "")
        .stripTrailing();
  }

  private static String pod(Endpoint endpoint) {
    return Actor.at(endpoint.address()).map(Actor::toString).orElse(endpoint.toString());
  }
}

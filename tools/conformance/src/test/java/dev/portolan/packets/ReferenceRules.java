package dev.portolan.packets;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.Masquerade;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Namespace;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules that kube-proxy lays in nftables mode, rendered plainly and loaded as a whole by the
 * program {@code nft}: it proves lab and table without any backend of ours.
 */
final class ReferenceRules implements Backend {
  private static final String MARK = "meta mark set meta mark or 0x4000";

  private final Namespace node;

  ReferenceRules(Namespace node) {
    this.node = node;
  }

  @Override
  public void sync(NodeChange change) {
    StringBuilder text = new StringBuilder();
    for (IpFamily family : IpFamily.values()) {
      String table = table(family);
      text.append("table ").append(table).append(" {}\ndelete table ").append(table).append('\n');
      text.append(new Family(change.after(), family).render());
    }
    node.execWith(text.toString(), "nft", "-f", "-");
  }

  @Override
  public void cleanup() {
    StringBuilder text = new StringBuilder();
    for (IpFamily family : IpFamily.values()) {
      text.append("delete table ").append(table(family)).append('\n');
    }
    node.execWith(text.toString(), "nft", "-f", "-");
  }

  private static String table(IpFamily family) {
    return (family == IpFamily.IPV4 ? "ip" : "ip6") + " reference";
  }

  /** The rules of one family. */
  private static final class Family {
    private final NodeFacts facts;
    private final NodeImage image;
    private final IpFamily family;
    private final String ip;
    private final String type;
    private final List<String> chains = new ArrayList<>();
    private final Set<String> clusterIps = new TreeSet<>();
    private final Set<String> serviceIps = new LinkedHashSet<>();
    private final Set<String> nodePorts = new LinkedHashSet<>();
    private final Set<String> noEndpoints = new LinkedHashSet<>();
    private final Set<String> noEndpointNodePorts = new LinkedHashSet<>();
    private final Set<String> firewall = new LinkedHashSet<>();
    private final Set<String> hairpin = new LinkedHashSet<>();
    private int count;

    Family(NodeImage image, IpFamily family) {
      this.image = image;
      this.facts = image.facts();
      this.family = family;
      this.ip = family == IpFamily.IPV4 ? "ip" : "ip6";
      this.type = family == IpFamily.IPV4 ? "ipv4_addr" : "ipv6_addr";
    }

    String render() {
      for (NodeService service : image.services()) {
        for (ServicePort port : service.ports()) {
          if (port.family() == family) {
            add(port, "s" + count++);
          }
        }
      }
      String key = type + " . inet_proto . inet_service";
      String match = ip + " daddr . meta l4proto . th dport";
      StringBuilder text = new StringBuilder("table " + table(family) + " {\n");
      text.append(set("cluster-ips", type, clusterIps));
      text.append(set("hairpin", type + " . " + type + " . inet_proto . inet_service", hairpin));
      text.append(map("service-ips", key, serviceIps));
      text.append(map("service-nodeports", "inet_proto . inet_service", nodePorts));
      text.append(map("no-endpoint-services", key, noEndpoints));
      text.append(map("no-endpoint-nodeports", "inet_proto . inet_service", noEndpointNodePorts));
      text.append(map("firewall-ips", key, firewall));
      text.append(chain("reject-chain", "reject"));
      text.append(String.join("", chains));
      text.append(
          chain(
              "services",
              clusterIpMasquerade(),
              match + " vmap @service-ips",
              nodePortMatch() + " meta l4proto . th dport vmap @service-nodeports"));
      text.append(hook("filter-pre", "filter", "prerouting", -110, firewallCheck(match)));
      text.append(hook("filter-output-pre", "filter", "output", -110, firewallCheck(match)));
      text.append(hook("nat-prerouting", "nat", "prerouting", -100, "jump services"));
      text.append(hook("nat-output", "nat", "output", -100, "jump services"));
      text.append(
          hook(
              "nat-postrouting",
              "nat",
              "postrouting",
              100,
              "meta mark & 0x4000 != 0 meta mark set meta mark xor 0x4000 masquerade fully-random",
              "ct status dnat "
                  + ip
                  + " saddr . "
                  + ip
                  + " daddr . meta l4proto . th dport @hairpin masquerade fully-random"));
      String check = "ct state new " + match + " vmap @no-endpoint-services";
      text.append(
          hook(
              "filter-input",
              "filter",
              "input",
              0,
              "ct state new "
                  + nodePortMatch()
                  + " meta l4proto . th dport vmap @no-endpoint-nodeports",
              check));
      text.append(hook("filter-forward", "filter", "forward", 0, check, guards()));
      text.append(hook("filter-output", "filter", "output", 0, check, guards()));
      return text.append("}\n").toString();
    }

    private void add(ServicePort port, String name) {
      clusterIps.add(port.clusterIp().address().toString());
      if (port.verdict(Traffic.INTERNAL) == Verdict.FORWARD) {
        pick(name + "-internal", port, Traffic.INTERNAL);
      }
      if (port.isExternallyAccessible()) {
        addExternal(port, name);
      }
      for (ServiceAddress address : port.addresses()) {
        String protocol = port.name().protocol().lower();
        String key =
            (address.isNodePort() ? protocol : address.address() + " . " + protocol)
                + " . "
                + address.port();
        Verdict verdict = port.verdict(address.traffic());
        if (port.forwards(address)) {
          String chain = name + (address.isExternal() ? "-external" : "-internal");
          (address.isNodePort() ? nodePorts : serviceIps).add(key + " : goto " + chain);
        }
        if (verdict != Verdict.FORWARD) {
          (address.isNodePort() ? noEndpointNodePorts : noEndpoints)
              .add(key + " : " + (verdict == Verdict.DROP ? "drop" : "goto reject-chain"));
        }
        List<Cidr> allowed = facts.allowedSources(port, address);
        if (!allowed.isEmpty()) {
          String ranges = String.join(", ", allowed.stream().map(Cidr::toString).toList());
          String chain = name + "-firewall-" + firewall.size();
          chains.add(chain(chain, ip + " saddr != { " + ranges + " } drop"));
          firewall.add(key + " : goto " + chain);
        }
      }
    }

    private void addExternal(ServicePort port, String name) {
      Route outside = port.route(Traffic.EXTERNAL);
      List<String> rules = new ArrayList<>();
      if (outside.masquerade() == Masquerade.ALL) {
        rules.add(MARK);
      } else if (port.verdict(Traffic.SHORT_CIRCUIT) == Verdict.FORWARD) {
        pick(name + "-cluster", port, Traffic.SHORT_CIRCUIT);
        if (!local("").isEmpty()) {
          rules.add(local("") + " goto " + name + "-cluster");
        }
        rules.add("fib saddr type local " + MARK);
        rules.add("fib saddr type local goto " + name + "-cluster");
      }
      if (outside.verdict() == Verdict.FORWARD) {
        pick(name + "-outside", port, Traffic.EXTERNAL);
        rules.add("goto " + name + "-outside");
      }
      chains.add(chain(name + "-external", rules.toArray(String[]::new)));
    }

    /** A chain that sends {@code traffic} to one of its endpoints. */
    private void pick(String name, ServicePort port, Traffic traffic) {
      List<Endpoint> endpoints = port.endpoints(traffic);
      String protocol = port.name().protocol().lower();
      for (Endpoint endpoint : endpoints) {
        if (facts.isLocal(endpoint)) {
          Ip address = endpoint.address();
          hairpin.add(address + " . " + address + " . " + protocol + " . " + endpoint.port());
        }
      }
      List<String> rules = new ArrayList<>();
      List<String> choices = new ArrayList<>();
      for (int i = 0; i < endpoints.size(); i++) {
        String dnat = "meta l4proto " + protocol + " dnat to " + endpoints.get(i);
        String one = name + "-" + i;
        String set = "affinity-" + one;
        choices.add(i + " : goto " + one);
        if (port.affinitySeconds() > 0) {
          chains.add(
              "  set %s { type %s; flags dynamic,timeout; timeout %ds; }%n"
                  .formatted(set, type, port.affinitySeconds()));
          chains.add(chain(one, "update @" + set + " { " + ip + " saddr }", dnat));
          rules.add(ip + " saddr @" + set + " goto " + one);
        } else {
          chains.add(chain(one, dnat));
        }
      }
      rules.add(
          "numgen random mod " + endpoints.size() + " vmap { " + String.join(", ", choices) + " }");
      chains.add(chain(name, rules.toArray(String[]::new)));
    }

    private String clusterIpMasquerade() {
      String all = ip + " daddr @cluster-ips ";
      if (facts.masqueradeAll()) {
        return all + MARK;
      }
      return local("!= ").isEmpty() ? "" : all + local("!= ") + " " + MARK;
    }

    /** A match on pods of the node, or on all others; empty if they cannot be distinguished. */
    private String local(String operator) {
      return switch (facts.detector(family)) {
        case LocalDetector.SourceRange(Cidr range) -> ip + " saddr " + operator + range;
        case LocalDetector.Interface(String name) -> "iifname " + operator + "\"" + name + "\"";
        case LocalDetector.InterfacePrefix(String prefix) ->
            "iifname " + operator + "\"" + prefix + "*\"";
        case LocalDetector.Undetected() -> "";
      };
    }

    private String nodePortMatch() {
      if (facts.nodePorts(family).all()) {
        return "fib daddr type local "
            + ip
            + " daddr != "
            + (family == IpFamily.IPV4 ? "127.0.0.0/8" : "::1");
      }
      List<String> addresses =
          facts.addresses().stream()
              .filter(it -> it.family() == family && facts.nodePorts(family).accept(it))
              .map(Ip::toString)
              .toList();
      return ip + " daddr { " + String.join(", ", addresses) + " }";
    }

    private static String firewallCheck(String match) {
      return "ct state new " + match + " vmap @firewall-ips";
    }

    private String guards() {
      List<String> ranges =
          facts.serviceCidrs().stream()
              .filter(range -> range.family() == family)
              .map(Cidr::toString)
              .toList();
      return "ct state new "
          + ip
          + " daddr @cluster-ips reject\n    ct state new "
          + ip
          + " daddr { "
          + String.join(", ", ranges)
          + " } drop";
    }

    private static String set(String name, String type, Set<String> elements) {
      return "  set " + name + " { type " + type + "; " + elements(elements) + "}\n";
    }

    private static String map(String name, String type, Set<String> elements) {
      return "  map " + name + " { type " + type + " : verdict; " + elements(elements) + "}\n";
    }

    private static String elements(Set<String> elements) {
      return elements.isEmpty() ? "" : "elements = { " + String.join(", ", elements) + " }; ";
    }

    private static String chain(String name, String... rules) {
      return "  chain " + name + " {\n    " + String.join("\n    ", rules) + "\n  }\n";
    }

    private static String hook(
        String name, String type, String hook, int priority, String... rules) {
      String base = "type " + type + " hook " + hook + " priority " + priority + ";";
      return "  chain "
          + name
          + " {\n    "
          + base
          + "\n    "
          + String.join("\n    ", rules)
          + "\n  }\n";
    }
  }
}

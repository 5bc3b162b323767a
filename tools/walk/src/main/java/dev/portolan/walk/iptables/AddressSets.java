package dev.portolan.walk.iptables;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.netlink.ipset.Ipset;
import dev.portolan.netlink.ipset.IpsetContent;
import dev.portolan.walk.iptables.AddressSet.Entry;
import dev.portolan.walk.iptables.AddressSet.Part;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sets of ipset, by name. */
public record AddressSets(Map<String, AddressSet> sets) {
  /** None. */
  public static final AddressSets NONE = new AddressSets(Map.of());

  public AddressSets {
    sets = Map.copyOf(sets);
  }

  /**
   * The sets that {@code lines} of rules may name. If they name none, the kernel is not asked,
   * because that would load its module.
   */
  static AddressSets read(Iterable<List<String>> lines, Optional<Path> namespace) {
    for (List<String> rules : lines) {
      if (rules.stream().anyMatch(rule -> rule.contains("--match-set"))) {
        try (Ipset kernel = new Ipset(namespace)) {
          return of(kernel.contents());
        }
      }
    }
    return NONE;
  }

  /** Those of {@code contents} whose parts are addresses and ports; others are left out. */
  static AddressSets of(List<IpsetContent> contents) {
    Map<String, List<Part>> parts = new HashMap<>();
    Map<String, List<Entry>> entries = new HashMap<>();
    for (IpsetContent content : contents) {
      Optional<List<Part>> known = parts(content.type());
      known.ifPresent(it -> {
        parts.put(content.name(), it);
        List<Entry> all = entries.computeIfAbsent(content.name(), key -> new ArrayList<>());
        content.elements().forEach(element -> all.add(entry(it, element)));
      });
    }
    Map<String, AddressSet> sets = new HashMap<>();
    parts.forEach(
        (name, it) -> sets.put(name, new AddressSet(it, entries.getOrDefault(name, List.of()))));
    return new AddressSets(sets);
  }

  private static Optional<List<Part>> parts(String type) {
    List<Part> parts = new ArrayList<>();
    for (String word : type.substring(type.indexOf(':') + 1).split(",", -1)) {
      switch (word) {
        case "ip", "net" -> parts.add(Part.ADDRESS);
        case "port" -> parts.add(Part.PORT);
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.of(parts);
  }

  private static Entry entry(List<Part> parts, IpsetContent.Element element) {
    Iterator<IpsetContent.Network> networks = element.networks().iterator();
    List<Object> values = new ArrayList<>();
    for (Part part : parts) {
      switch (part) {
        case PORT -> values.add(element.port());
        case ADDRESS -> {
          IpsetContent.Network network = networks.next();
          Ip address = Ip.fromBytes(network.address().getAddress());
          values.add(
              network.prefix() == address.family().bits()
                  ? address
                  : new Cidr(address, network.prefix()));
        }
      }
    }
    return new Entry(values, element.protocol());
  }
}

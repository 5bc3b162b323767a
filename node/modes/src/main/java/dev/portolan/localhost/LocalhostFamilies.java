package dev.portolan.localhost;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which families serve nodePorts on localhost: those whose loopback is named explicitly. */
public record LocalhostFamilies(Set<IpFamily> served) {
  /** No family. */
  public static final LocalhostFamilies NONE = new LocalhostFamilies(Set.of());

  private static final List<Cidr> LOOPBACK = List.of(Cidr.of("127.0.0.0/8"), Cidr.of("::1/128"));

  public LocalhostFamilies {
    served = Set.copyOf(served);
  }

  /** Reads {@code nodePortAddresses}; "all" and 0.0.0.0/0 do not name it. */
  public static LocalhostFamilies of(List<String> nodePortAddresses) {
    Set<IpFamily> served = EnumSet.noneOf(IpFamily.class);
    for (String word : nodePortAddresses) {
      if (word.equals("localhost")) {
        served.addAll(List.of(IpFamily.values()));
      }
      Cidr.parse(word)
          .filter(range -> LOOPBACK.stream().anyMatch(loopback -> loopback.contains(range)))
          .ifPresent(range -> served.add(range.family()));
    }
    return new LocalhostFamilies(served);
  }

  /** The protocols whose nodePorts are rejected there: those that are not served. */
  public Map<IpFamily, Set<Protocol>> rejected() {
    Map<IpFamily, Set<Protocol>> rejected = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      Set<Protocol> protocols = EnumSet.allOf(Protocol.class);
      if (served.contains(family)) {
        protocols.remove(Protocol.TCP);
      }
      rejected.put(family, protocols);
    }
    return rejected;
  }
}

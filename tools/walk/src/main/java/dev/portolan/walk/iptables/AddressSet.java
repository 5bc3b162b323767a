package dev.portolan.walk.iptables;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.walk.WalkedPacket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A set of ipset with what is in it. */
public final class AddressSet {
  private final List<Part> parts;
  private final Set<Entry> exact = new HashSet<>();
  private final List<Entry> ranges = new ArrayList<>();

  /** What an entry consists of. */
  public enum Part {
    /** An address or a range of addresses. */
    ADDRESS,
    /** A port, with its protocol. */
    PORT
  }

  /**
   * One entry.
   *
   * @param parts an {@link Ip}, a {@link Cidr} or the number of a port each
   * @param protocol the protocol of its port, as in an IP header; 0 where the set does not tell
   */
  public record Entry(List<Object> parts, int protocol) {
    public Entry {
      parts = List.copyOf(parts);
    }
  }

  /** A set whose entries consist of {@code parts}. */
  public AddressSet(List<Part> parts, List<Entry> entries) {
    this.parts = List.copyOf(parts);
    for (Entry entry : entries) {
      if (entry.parts.stream().anyMatch(Cidr.class::isInstance)) {
        ranges.add(entry);
      } else {
        exact.add(entry);
      }
    }
  }

  /**
   * Whether the packet is in it.
   *
   * @param sides for each part, whether it is that of the packet's {@code src} or {@code dst}
   */
  boolean contains(WalkedPacket packet, List<String> sides) {
    List<Object> looked = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      boolean source = i < sides.size() && sides.get(i).equals("src");
      looked.add(
          switch (parts.get(i)) {
            case ADDRESS -> source ? packet.source() : packet.destination();
            case PORT -> source ? packet.sourcePort() : packet.port();
          });
    }
    int protocol = parts.contains(Part.PORT) ? Protocols.number(packet.protocol()) : 0;
    return exact.contains(new Entry(looked, protocol))
        || exact.contains(new Entry(looked, 0))
        || ranges.stream().anyMatch(entry -> covers(entry, looked, protocol));
  }

  private static boolean covers(Entry entry, List<Object> looked, int protocol) {
    if (entry.protocol != 0 && entry.protocol != protocol) {
      return false;
    }
    for (int i = 0; i < looked.size(); i++) {
      boolean fits =
          entry.parts.get(i) instanceof Cidr range
              ? looked.get(i) instanceof Ip address && range.contains(address)
              : entry.parts.get(i).equals(looked.get(i));
      if (!fits) {
        return false;
      }
    }
    return true;
  }
}

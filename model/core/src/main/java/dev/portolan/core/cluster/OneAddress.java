package dev.portolan.core.cluster;

import dev.portolan.core.net.Ip;
import java.util.AbstractList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of one address, kept as the number that is needed anyway; its text is made when asked. */
final class OneAddress extends AbstractList<String> {
  private final Ip address;

  private OneAddress(Ip address) {
    this.address = address;
  }

  /** An immutable list of these texts, in little space where it is one canonical address. */
  static List<String> copyOf(List<String> texts) {
    if (texts instanceof OneAddress) {
      return texts;
    }
    Ip address = texts.size() == 1 ? Ip.parseCanonical(texts.getFirst()).orElse(null) : null;
    return address == null ? List.copyOf(texts) : new OneAddress(address);
  }

  /** The address at a place of a list, or null where nothing is there or it is not an address. */
  static @Nullable Ip at(int index, List<String> texts) {
    if (texts instanceof OneAddress one && index == 0) {
      return one.address;
    }
    return index < texts.size() ? Ip.parse(texts.get(index)).orElse(null) : null;
  }

  @Override
  public String get(int index) {
    return List.of(address.toString()).get(index);
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OneAddress one ? address.equals(one.address) : super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}

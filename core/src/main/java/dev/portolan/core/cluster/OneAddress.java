package dev.portolan.core.cluster;

import dev.portolan.core.net.Ip;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * A list of one address as text, kept as a number: every endpoint and every service has one, and
 * the number is needed anyway. The text is made when it is asked for.
 */
final class OneAddress extends AbstractList<String> implements RandomAccess {
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
    if (index >= texts.size()) {
      return null;
    }
    return texts instanceof OneAddress one ? one.address : Ip.parse(texts.get(index)).orElse(null);
  }

  @Override
  public String get(int index) {
    Objects.checkIndex(index, 1);
    return address.toString();
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

package dev.portolan.walk.nft;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.NftDump;
import dev.portolan.walk.nft.KeyLayout.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the ranges of clients that a rule asks for. */
final class ClientRanges {
  private ClientRanges() {}

  static void add(CompiledRule rule, Set<Cidr> found) {
    KeyLayout layout = new KeyLayout();
    byte[] mask = {};
    for (NftExpression each : rule.expressions()) {
      List<Field> before =
          each instanceof NftExpression.MaskAndFlip masked
              ? layout.key(masked.from(), masked.mask().length)
              : List.of();
      layout.see(each);
      switch (each) {
        case NftExpression.MaskAndFlip masked -> {
          if (before.equals(List.of(Field.SOURCE))) {
            mask = masked.mask();
          }
        }
        case NftExpression.Compare compare -> {
          List<Field> left = layout.key(compare.from(), compare.value().length);
          if (left.equals(List.of(Field.SOURCE))) {
            found.add(Cidr.only(Ip.fromBytes(compare.value())));
          } else if (mask.length == compare.value().length && mask.length >= 4) {
            found.add(new Cidr(Ip.fromBytes(compare.value()), ones(mask)));
          }
          mask = new byte[] {};
        }
        case NftExpression.InSet in -> {
          if (!rule.table().isMemory(in.set())) {
            rule.table()
                .set(in.set())
                .ifPresent(
                    set -> add(set.set(), layout.key(in.from(), set.set().keyLength()), found));
          }
        }
        default -> {}
      }
    }
  }

  private static void add(NftDump.ElementSet set, List<Field> fields, Set<Cidr> found) {
    if (!fields.contains(Field.SOURCE) || !set.hasRanges() || fields.getLast() != Field.SOURCE) {
      return;
    }
    int length = fields.contains(Field.DESTINATION) && set.keyLength() < 32 ? 4 : 16;
    length = fields.size() == 1 ? set.keyLength() : length;
    List<NftDump.Entry> entries = set.entries();
    for (NftDump.Entry entry : entries) {
      if (!entry.endsRange() && !entry.catchesAll()) {
        Element element = entry.element();
        Ip first = last(element.key(), length);
        Optional<Ip> end =
            fields.size() > 1
                ? Optional.of(
                    last(element.keyEnd().length == 0 ? element.key() : element.keyEnd(), length))
                : endOf(element.key(), entries).map(ClientRanges::before);
        end.ifPresent(last -> found.add(covering(first, last)));
      }
    }
  }

  private static Ip last(byte[] key, int length) {
    return Ip.fromBytes(Arrays.copyOfRange(key, key.length - length, key.length));
  }

  /** The first key after the range that begins with {@code start}. */
  private static Optional<Ip> endOf(byte[] start, List<NftDump.Entry> entries) {
    return entries.stream()
        .filter(NftDump.Entry::endsRange)
        .map(entry -> entry.element().key())
        .filter(key -> Arrays.compareUnsigned(key, start) > 0)
        .min(Arrays::compareUnsigned)
        .map(Ip::fromBytes);
  }

  private static Ip before(Ip address) {
    return new Ip(address.low() == 0 ? address.high() - 1 : address.high(), address.low() - 1);
  }

  /** The smallest prefix with both addresses in it. */
  private static Cidr covering(Ip first, Ip last) {
    int prefix = first.family().bits();
    while (prefix > 0 && !new Cidr(first, prefix).contains(last)) {
      prefix--;
    }
    return new Cidr(first, prefix);
  }

  private static int ones(byte[] mask) {
    int bits = 0;
    for (byte octet : mask) {
      bits += Integer.bitCount(Byte.toUnsignedInt(octet));
    }
    return bits;
  }
}

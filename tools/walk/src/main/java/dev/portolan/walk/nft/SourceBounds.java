package dev.portolan.walk.nft;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.nftables.Element;
import dev.portolan.walk.nft.KeyLayout.Field;
import dev.portolan.walk.nft.table.CompiledRule;
import dev.portolan.walk.nft.table.CompiledTable;
import dev.portolan.walk.nft.table.CompiledTable.CompiledChain;
import dev.portolan.walk.nft.table.NftDump;
import dev.portolan.walk.nft.table.NftExpression;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The addresses at which rules begin or cease to apply to clients. Sets that rules fill themselves
 * are left out: those remember clients, and do not choose among them.
 */
final class SourceBounds {
  private static final int OFFSET_V4 = 12;
  private static final int OFFSET_V6 = 8;
  private static final int LENGTH_V4 = 4;
  private static final int LENGTH_V6 = 16;

  private final Set<Cidr> found = new HashSet<>();

  private SourceBounds() {}

  /** Those of all rules; both ends of a range that is not a CIDR. */
  static Set<Cidr> of(Collection<CompiledTable> tables) {
    SourceBounds bounds = new SourceBounds();
    for (CompiledTable table : tables) {
      for (CompiledChain chain : table.chains()) {
        chain.rules().forEach(bounds::add);
      }
    }
    return Set.copyOf(bounds.found);
  }

  private void add(CompiledRule rule) {
    KeyLayout layout = new KeyLayout();
    Map<Integer, Integer> sources = new HashMap<>();
    Map<Integer, Integer> prefixes = new HashMap<>();
    for (NftExpression each : rule.expressions()) {
      layout.see(each);
      switch (each) {
        case NftExpression.LoadHeader load -> {
          if (isSource(load)) {
            sources.put(load.to(), load.offset() == OFFSET_V4 ? LENGTH_V4 : LENGTH_V6);
            prefixes.put(load.to(), load.length() * Byte.SIZE);
          } else {
            sources.remove(load.to());
          }
        }
        case NftExpression.MaskAndFlip mask -> {
          Integer length = sources.get(mask.from());
          if (length == null) {
            sources.remove(mask.to());
          } else {
            sources.put(mask.to(), length);
            prefixes.put(mask.to(), BitSet.valueOf(mask.mask()).cardinality());
          }
        }
        case NftExpression.Compare compare -> {
          Integer length = sources.get(compare.from());
          if (length != null && compare.value().length <= length) {
            Ip base = Ip.fromBytes(Arrays.copyOf(compare.value(), length));
            found.add(new Cidr(base, prefixes.getOrDefault(compare.from(), length * Byte.SIZE)));
          }
        }
        case NftExpression.InSet in ->
            rule.table().set(in.set()).ifPresent(set -> add(set.set(), in.from(), layout));
        default -> {}
      }
    }
  }

  /** If the length of a range is whole bytes, rules load only those. */
  private static boolean isSource(NftExpression.LoadHeader load) {
    if (load.base() == NftExpression.Base.TRANSPORT) {
      return false;
    }
    return (load.offset() == OFFSET_V4 && load.length() <= LENGTH_V4)
        || (load.offset() == OFFSET_V6 && load.length() > 2 && load.length() <= LENGTH_V6);
  }

  private void add(NftDump.ElementSet set, int from, KeyLayout layout) {
    List<Field> fields = layout.key(from, set.keyLength());
    int place = fields.indexOf(Field.SOURCE);
    if (place < 0 || set.isDynamic()) {
      return;
    }
    long addresses =
        fields.stream().filter(it -> it == Field.SOURCE || it == Field.DESTINATION).count();
    int length = (int) ((set.keyLength() - LENGTH_V4 * (fields.size() - addresses)) / addresses);
    int at = 0;
    for (Field field : fields.subList(0, place)) {
      at += field == Field.DESTINATION ? length : LENGTH_V4;
    }
    for (NftDump.Entry entry : set.entries()) {
      Element element = entry.element();
      add(element.key(), at, length);
      add(element.keyEnd(), at, length);
    }
  }

  private void add(byte[] key, int at, int length) {
    if (key.length >= at + length && (length == LENGTH_V4 || length == LENGTH_V6)) {
      found.add(Cidr.only(Ip.fromBytes(Arrays.copyOfRange(key, at, at + length))));
    }
  }
}

package dev.portolan.walk.nft;

import dev.portolan.walk.nft.table.NftExpression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the registers hold at one place of a rule, for code that reads rules without a packet, and
 * what the rule has asked for by then.
 */
final class KeyLayout {
  /** A part of a packet. */
  enum Field {
    SOURCE,
    DESTINATION,
    PROTOCOL,
    SOURCE_PORT,
    PORT,
    NUMBER,
    OTHER
  }

  private final Map<Integer, Field> words = new TreeMap<>();
  private final Map<Field, byte[]> wanted = new TreeMap<>();

  /** Takes note of an expression. */
  void see(NftExpression expression) {
    switch (expression) {
      case NftExpression.LoadHeader load -> words.put(load.to(), field(load));
      case NftExpression.LoadMeta load ->
          words.put(load.to(), load.key() == 16 ? Field.PROTOCOL : Field.OTHER);
      case NftExpression.LoadConnection load -> words.put(load.to(), Field.OTHER);
      case NftExpression.LoadRoute load -> words.put(load.to(), Field.OTHER);
      case NftExpression.LoadConstant load -> words.put(load.to(), Field.OTHER);
      case NftExpression.LoadFromMap load -> words.put(load.to(), Field.OTHER);
      case NftExpression.MaskAndFlip mask -> words.put(mask.to(), Field.OTHER);
      case NftExpression.Shift shift -> words.put(shift.to(), Field.OTHER);
      case NftExpression.SwapBytes swap -> words.put(swap.to(), Field.OTHER);
      case NftExpression.Draw draw -> words.put(draw.to(), Field.NUMBER);
      case NftExpression.Compare compare -> {
        Field field = words.get(compare.from());
        if (field != null && compare.comparison() == NftExpression.Comparison.EQUAL) {
          wanted.put(field, compare.value());
        }
      }
      default -> {}
    }
  }

  /** The parts of a key of {@code length} bytes in the registers from a word on. */
  List<Field> key(int from, int length) {
    List<Field> fields = new ArrayList<>();
    words.forEach((word, field) -> {
      if (word >= from && word < from + (length + 3) / 4) {
        fields.add(field);
      }
    });
    return fields;
  }

  /** The value that the rule asks for in a field; null where it asks for none. */
  byte @Nullable [] wanted(Field field) {
    byte[] value = wanted.get(field);
    return value == null ? null : Arrays.copyOf(value, value.length);
  }

  private static Field field(NftExpression.LoadHeader load) {
    if (load.base() == NftExpression.Base.TRANSPORT) {
      return load.length() != 2
          ? Field.OTHER
          : load.offset() == 0 ? Field.SOURCE_PORT : load.offset() == 2 ? Field.PORT : Field.OTHER;
    }
    return switch (load.length()) {
      case 4 ->
          load.offset() == 12
              ? Field.SOURCE
              : load.offset() == 16 ? Field.DESTINATION : Field.OTHER;
      case 16 ->
          load.offset() == 8 ? Field.SOURCE : load.offset() == 24 ? Field.DESTINATION : Field.OTHER;
      case 1 -> load.offset() == 9 || load.offset() == 6 ? Field.PROTOCOL : Field.OTHER;
      default -> Field.OTHER;
    };
  }
}

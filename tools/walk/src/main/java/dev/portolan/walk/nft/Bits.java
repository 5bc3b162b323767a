package dev.portolan.walk.nft;

import dev.portolan.walk.nft.table.NftExpression;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What rules compute with registers. */
final class Bits {
  private Bits() {}

  static void maskAndFlip(NftExpression.MaskAndFlip mask, Registers registers) {
    byte[] value = registers.load(mask.from(), mask.mask().length);
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) ((value[i] & mask.mask()[i]) ^ mask.xor()[i]);
    }
    registers.store(mask.to(), value);
  }

  /** The kernel shifts words as the machine orders them, and carries between them. */
  static void shift(NftExpression.Shift shift, Registers registers) {
    int words = (shift.length() + 3) / 4;
    byte[] value = registers.load(shift.from(), words * 4);
    ByteBuffer buffer = ByteBuffer.wrap(value).order(ByteOrder.nativeOrder());
    int bits = shift.bits() & 31;
    int carry = 0;
    for (int i = 0; i < words && bits > 0; i++) {
      int place = 4 * (shift.left() ? words - 1 - i : i);
      int word = buffer.getInt(place);
      buffer.putInt(place, (shift.left() ? word << bits : word >>> bits) | carry);
      carry = shift.left() ? word >>> (32 - bits) : word << (32 - bits);
    }
    registers.store(shift.to(), value);
  }

  static void swap(NftExpression.SwapBytes swap, Registers registers) {
    byte[] value = registers.load(swap.from(), swap.length());
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    for (int start = 0; little && start + swap.size() <= value.length; start += swap.size()) {
      for (int i = 0; i < swap.size() / 2; i++) {
        int left = start + i;
        int right = start + swap.size() - 1 - i;
        byte kept = value[left];
        value[left] = value[right];
        value[right] = kept;
      }
    }
    registers.store(swap.to(), value);
  }
}

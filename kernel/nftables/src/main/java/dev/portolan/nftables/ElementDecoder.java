package dev.portolan.nftables;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.NetlinkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the elements of sets and maps. There may be hundreds of thousands of them, so it finds
 * attributes by their offsets and makes objects only for what an element keeps.
 */
public final class ElementDecoder {
  private static final byte[] NOTHING = {};
  private static final int TYPE_MASK = 0x3fff;

  private final ByteBuffer bytes;

  /** Where the attribute that was found last begins and ends, without its header. */
  private int start;

  private int end;

  private ElementDecoder(ByteBuffer bytes) {
    this.bytes = bytes.duplicate().order(ByteOrder.nativeOrder());
  }

  /** Hands over each element in the attributes of a message, which are the rest of {@code body}. */
  static void decode(ByteBuffer body, Consumer<Element> each) {
    ElementDecoder decoder = new ElementDecoder(body);
    if (!decoder.find(NftConstants.ELEMENTS_LIST, body.position(), body.limit())) {
      return;
    }
    int next = decoder.start;
    int last = decoder.end;
    while (decoder.enter(next, last)) {
      next = decoder.start + (decoder.end - decoder.start + 3 & ~3);
      each.accept(decoder.element(decoder.start, decoder.end));
    }
  }

  /** The element whose attributes are the rest of {@code attributes}. */
  public static Element element(ByteBuffer attributes) {
    return new ElementDecoder(attributes).element(attributes.position(), attributes.limit());
  }

  private Element element(int from, int to) {
    byte[] key = data(NftConstants.ELEMENT_KEY, NftConstants.DATA_VALUE, from, to);
    byte[] keyEnd = data(NftConstants.ELEMENT_KEY_END, NftConstants.DATA_VALUE, from, to);
    byte[] value = data(NftConstants.ELEMENT_DATA, NftConstants.DATA_VALUE, from, to);
    Optional<NftVerdict> verdict = Optional.empty();
    if (value.length == 0
        && find(NftConstants.ELEMENT_DATA, from, to)
        && find(NftConstants.DATA_VERDICT, start, end)) {
      verdict = Optional.of(NftVerdict.read(new Attributes(bytes.slice(start, end - start))));
    }
    String comment =
        find(NftConstants.ELEMENT_USERDATA, from, to) ? UserData.decodeComment(copy()) : "";
    return new Element(key, keyEnd, value, verdict, comment);
  }

  /** The bytes of an attribute inside another; empty where there is none. */
  private byte[] data(int outer, int inner, int from, int to) {
    return find(outer, from, to) && find(inner, start, end) ? copy() : NOTHING;
  }

  private byte[] copy() {
    byte[] copy = new byte[end - start];
    bytes.get(start, copy);
    return copy;
  }

  /** Looks for the first attribute of a type. */
  private boolean find(int type, int from, int to) {
    for (int next = from; enter(next, to); next = start + (end - start + 3 & ~3)) {
      if ((bytes.getShort(start - 2) & TYPE_MASK) == type) {
        return true;
      }
    }
    return false;
  }

  /** Makes the attribute at {@code from} the one that was found, if one begins there. */
  private boolean enter(int from, int to) {
    if (to - from < 4) {
      return false;
    }
    int length = Short.toUnsignedInt(bytes.getShort(from));
    if (length < 4 || length > to - from) {
      throw new NetlinkException("the kernel sent an attribute with a wrong length, " + length);
    }
    start = from + 4;
    end = from + length;
    return true;
  }
}

package dev.portolan.netlink;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a message or of another attribute, read once. A type may occur several times.
 */
public final class Attributes {
  private static final int TYPE_MASK = 0x3fff;
  private static final int NESTED = 0x8000;

  private final List<Attribute> list;

  /** One attribute with its bytes; {@code nests} says that it was written as holding others. */
  public record Attribute(int type, boolean nests, ByteBuffer value) {
    private boolean covers(Attribute wanted) {
      return wanted.nests ? nested().covers(wanted.nested()) : value.equals(wanted.value);
    }

    /** The attributes inside. */
    public Attributes nested() {
      return new Attributes(value);
    }

    /** The address that 4 or 16 bytes are. */
    public InetAddress toAddress() {
      return AddressFamily.address(toBytes());
    }

    /** A copy of the bytes. */
    public byte[] toBytes() {
      byte[] copy = new byte[value.remaining()];
      value.get(value.position(), copy);
      return copy;
    }
  }

  /** Reads attributes until the bytes end; lengths that do not fit are an exception. */
  public Attributes(ByteBuffer bytes) {
    this.list = new ArrayList<>();
    ByteBuffer rest = bytes.slice().order(ByteOrder.nativeOrder());
    while (rest.remaining() >= 4) {
      int start = rest.position();
      int length = Short.toUnsignedInt(rest.getShort(start));
      if (length < 4 || length > rest.remaining()) {
        throw new NetlinkException("the kernel sent an attribute with a wrong length, " + length);
      }
      int type = rest.getShort(start + 2);
      ByteBuffer value = rest.slice(start + 4, length - 4).order(ByteOrder.BIG_ENDIAN);
      list.add(new Attribute(type & TYPE_MASK, (type & NESTED) != 0, value));
      rest.position(Math.min(rest.limit(), start + ((length + 3) & ~3)));
    }
  }

  private Attributes(List<Attribute> list) {
    this.list = list;
  }

  /** Those that {@code kept} accepts, in the same order. */
  public Attributes only(Predicate<Attribute> kept) {
    return new Attributes(list.stream().filter(kept).toList());
  }

  /** All attributes, in order. */
  public List<Attribute> all() {
    return list;
  }

  /** The first attribute of a type. */
  public Optional<Attribute> first(int type) {
    return Optional.ofNullable(find(type));
  }

  /** Numbers are read by the hundred thousand, so this makes no objects. */
  private @Nullable Attribute find(int type) {
    for (Attribute attribute : list) {
      if (attribute.type == type) {
        return attribute;
      }
    }
    return null;
  }

  /** The bytes of the first attribute of a type; null where it is absent or shorter. */
  private @Nullable ByteBuffer value(int type, int length) {
    Attribute attribute = find(type);
    return attribute == null || attribute.value.remaining() < length ? null : attribute.value;
  }

  /** The attributes inside the first one of a type; none where it is absent. */
  public Attributes nested(int type) {
    return first(type)
        .map(Attribute::nested)
        .orElseGet(() -> new Attributes(ByteBuffer.allocate(0)));
  }

  /** A text without the zero that ends it. */
  public Optional<String> text(int type) {
    return first(type)
        .map(attribute -> {
          byte[] bytes = attribute.toBytes();
          int end = bytes.length;
          while (end > 0 && bytes[end - 1] == 0) {
            end--;
          }
          return new String(bytes, 0, end, StandardCharsets.UTF_8);
        });
  }

  /** 32 bits in network order; 0 where absent or shorter. */
  public int u32(int type) {
    ByteBuffer value = value(type, 4);
    return value == null ? 0 : value.getInt(value.position());
  }

  /** 32 bits as the machine orders them; 0 where absent or shorter. */
  public int nativeU32(int type) {
    int value = u32(type);
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
  }

  /** 64 bits in network order; 0 where absent or shorter. */
  public long u64(int type) {
    ByteBuffer value = value(type, 8);
    return value == null ? 0 : value.getLong(value.position());
  }

  /** 16 bits in network order; 0 where absent or shorter. */
  public int u16(int type) {
    ByteBuffer value = value(type, 2);
    return value == null ? 0 : Short.toUnsignedInt(value.getShort(value.position()));
  }

  /** 8 bits; 0 where absent. */
  public int u8(int type) {
    ByteBuffer value = value(type, 1);
    return value == null ? 0 : Byte.toUnsignedInt(value.get(value.position()));
  }

  /** The bytes of the first attribute of a type; empty where absent. */
  public byte[] bytes(int type) {
    return first(type).map(Attribute::toBytes).orElseGet(() -> new byte[0]);
  }

  /**
   * Whether everything in {@code wanted} is here too, with the same values. The kernel orders
   * attributes its own way and adds some that it was not given; those do not count. Several of one
   * type are a list: they must be as many, in the same order.
   */
  public boolean covers(Attributes wanted) {
    for (int type : wanted.list.stream().mapToInt(Attribute::type).distinct().toArray()) {
      List<Attribute> mine = ofType(type);
      List<Attribute> theirs = wanted.ofType(type);
      if (mine.size() != theirs.size()) {
        return false;
      }
      for (int i = 0; i < mine.size(); i++) {
        if (!mine.get(i).covers(theirs.get(i))) {
          return false;
        }
      }
    }
    return true;
  }

  private List<Attribute> ofType(int type) {
    return list.stream().filter(attribute -> attribute.type == type).toList();
  }
}

package dev.portolan.nftables;

import dev.portolan.netlink.MessageWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What nft keeps beside an object so that it can print it as it was written: comments, byte orders,
 * and the expressions that a {@code typeof} names. The kernel only stores it.
 */
public final class UserData {
  private static final int LONGEST_COMMENT = 127;

  /** The comment on a table, chain, rule or element: {@code NFTNL_UDATA_*_COMMENT}. */
  private static final int COMMENT = 0;

  /** The attributes of a set: {@code NFTNL_UDATA_SET_*} in libnftnl. */
  private static final int SET_KEYBYTEORDER = 0;

  private static final int SET_DATABYTEORDER = 1;
  private static final int SET_KEY_TYPEOF = 3;
  private static final int SET_DATA_TYPEOF = 4;
  private static final int SET_COMMENT = 7;

  /** How a value is printed: {@code enum byteorder} of nft. */
  private static final int BYTEORDER_INVALID = 0;

  private static final int BYTEORDER_BIG_ENDIAN = 2;

  /** An expression that {@code typeof} names: {@code NFTNL_UDATA_SET_TYPEOF_*}. */
  private static final int TYPEOF_EXPR = 0;

  private static final int TYPEOF_DATA = 1;

  /** The expressions: {@code enum expr_types} of nft. */
  private static final int EXPR_PAYLOAD = 7;

  private static final int EXPR_CONCAT = 13;
  private static final int EXPR_NUMGEN = 23;

  /** The attributes of a payload: {@code NFTNL_UDATA_SET_KEY_PAYLOAD_*}. */
  private static final int PAYLOAD_DESC = 0;

  private static final int PAYLOAD_TYPE = 1;

  /** The attributes of a random number: {@code NFTNL_UDATA_NUMGEN_*}. */
  private static final int NUMGEN_TYPE = 0;

  private static final int NUMGEN_MOD = 1;
  private static final int NUMGEN_OFFSET = 2;
  private static final int NUMGEN_RANDOM = 1;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** A comment on a table, chain, rule or element; nothing where it is empty. */
  public static byte[] encodeComment(String text) {
    return text.isEmpty() ? new byte[0] : new UserData().text(COMMENT, text).toBytes();
  }

  /** The comment in {@code userdata}; empty where there is none. */
  public static String decodeComment(byte[] userdata) {
    for (int i = 0; i + 2 <= userdata.length; i += 2 + Byte.toUnsignedInt(userdata[i + 1])) {
      int length = Byte.toUnsignedInt(userdata[i + 1]);
      if (userdata[i] == COMMENT && i + 2 + length <= userdata.length && length > 0) {
        return new String(userdata, i + 2, length - 1, StandardCharsets.UTF_8);
      }
    }
    return "";
  }

  /** For a set or map whose type is printed by name. */
  public static UserData ofSet(boolean networkOrder, String comment) {
    int order = networkOrder ? BYTEORDER_BIG_ENDIAN : BYTEORDER_INVALID;
    UserData data = new UserData().number(SET_KEYBYTEORDER, order);
    return comment.isEmpty() ? data : data.text(SET_COMMENT, comment);
  }

  /** For a map whose type is printed as the expressions {@code key} and {@code data}. */
  public static UserData ofMap(byte[] key, byte[] data, String comment) {
    UserData all =
        new UserData()
            .number(SET_KEYBYTEORDER, BYTEORDER_INVALID)
            .number(SET_DATABYTEORDER, BYTEORDER_INVALID)
            .put(SET_KEY_TYPEOF, key)
            .put(SET_DATA_TYPEOF, data);
    return comment.isEmpty() ? all : all.text(SET_COMMENT, comment);
  }

  /** A field of a header, by nft's numbers for the protocol and the field. */
  public static byte[] payload(int protocol, int field) {
    return expression(
        EXPR_PAYLOAD, new UserData().number(PAYLOAD_DESC, protocol).number(PAYLOAD_TYPE, field));
  }

  /** A random number. */
  public static byte[] random() {
    return expression(
        EXPR_NUMGEN,
        new UserData()
            .number(NUMGEN_TYPE, NUMGEN_RANDOM)
            .number(NUMGEN_MOD, 2)
            .number(NUMGEN_OFFSET, 0));
  }

  /** Several expressions one after another. */
  public static byte[] concat(byte[]... parts) {
    UserData inner = new UserData();
    for (int i = 0; i < parts.length; i++) {
      inner.put(i, parts[i]);
    }
    return expression(EXPR_CONCAT, inner);
  }

  private static byte[] expression(int type, UserData data) {
    return new UserData().number(TYPEOF_EXPR, type).put(TYPEOF_DATA, data.toBytes()).toBytes();
  }

  private UserData number(int type, int value) {
    return put(type, MessageWriter.nativeBytes(value));
  }

  private UserData text(int type, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(utf8.length, LONGEST_COMMENT);
    while (length < utf8.length && length > 0 && (utf8[length] & 0xc0) == 0x80) {
      length--;
    }
    return put(type, Arrays.copyOf(Arrays.copyOf(utf8, length), length + 1));
  }

  private UserData put(int type, byte[] value) {
    if (value.length > 255) {
      throw new IllegalArgumentException("user data of " + value.length + " bytes is too long");
    }
    bytes.write(type);
    bytes.write(value.length);
    bytes.writeBytes(value);
    return this;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}

package dev.portolan.netlink.nftables;

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
  private static final int TYPEOF_EXPRESSION = 0;
  private static final int TYPEOF_DATA = 1;
  private static final int EXPRESSION_PAYLOAD = 7;
  private static final int EXPRESSION_CONCAT = 13;
  private static final int EXPRESSION_NUMGEN = 23;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** A comment on a table, chain, rule or element; nothing where it is empty. */
  public static byte[] comment(String text) {
    return text.isEmpty() ? new byte[0] : new UserData().text(0, text).toBytes();
  }

  /** The comment in {@code userdata}; empty where there is none. */
  public static String comment(byte[] userdata) {
    for (int i = 0; i + 2 <= userdata.length; i += 2 + Byte.toUnsignedInt(userdata[i + 1])) {
      int length = Byte.toUnsignedInt(userdata[i + 1]);
      if (userdata[i] == 0 && i + 2 + length <= userdata.length && length > 0) {
        return new String(userdata, i + 2, length - 1, StandardCharsets.UTF_8);
      }
    }
    return "";
  }

  /** For a set or map whose type is printed by name. */
  public static UserData ofSet(boolean networkOrder, String comment) {
    UserData data = new UserData().number(0, networkOrder ? 2 : 0);
    return comment.isEmpty() ? data : data.text(7, comment);
  }

  /** For a map whose type is printed as the expressions {@code key} and {@code data}. */
  public static UserData ofMap(byte[] key, byte[] data, String comment) {
    UserData all = new UserData().number(0, 0).number(1, 0).put(3, key).put(4, data);
    return comment.isEmpty() ? all : all.text(7, comment);
  }

  /** For a verdict map whose key is printed as the expression {@code key}. */
  public static UserData ofVerdictMap(byte[] key, String comment) {
    UserData all = new UserData().number(0, 1).number(1, 0).put(3, key);
    return comment.isEmpty() ? all : all.text(7, comment);
  }

  /** A field of a header, by nft's numbers for the protocol and the field. */
  public static byte[] payload(int protocol, int field) {
    byte[] inner = new UserData().number(0, protocol).number(1, field).toBytes();
    return new UserData()
        .number(TYPEOF_EXPRESSION, EXPRESSION_PAYLOAD)
        .put(TYPEOF_DATA, inner)
        .toBytes();
  }

  /** A random number. */
  public static byte[] random() {
    byte[] inner = new UserData().number(0, 1).number(1, 2).number(2, 0).toBytes();
    return new UserData()
        .number(TYPEOF_EXPRESSION, EXPRESSION_NUMGEN)
        .put(TYPEOF_DATA, inner)
        .toBytes();
  }

  /** Several expressions one after another. */
  public static byte[] concat(byte[]... parts) {
    UserData inner = new UserData();
    for (int i = 0; i < parts.length; i++) {
      inner.put(i, parts[i]);
    }
    return new UserData()
        .number(TYPEOF_EXPRESSION, EXPRESSION_CONCAT)
        .put(TYPEOF_DATA, inner.toBytes())
        .toBytes();
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

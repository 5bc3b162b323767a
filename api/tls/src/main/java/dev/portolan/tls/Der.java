package dev.portolan.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.util.Optional;

/** As much of DER as it takes to put a private key of an older form into PKCS#8. */
final class Der {
  private static final int INTEGER = 0x02;
  private static final int OCTETS = 0x04;
  private static final int SEQUENCE = 0x30;
  private static final int CURVE = 0xa0;

  private static final byte[] VERSION_0 = {INTEGER, 1, 0};
  private static final byte[] NULL = {0x05, 0};
  private static final byte[] RSA = {
    0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01
  };
  private static final byte[] ELLIPTIC = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };

  private Der() {}

  /** A key as PKCS#1 writes it. */
  static byte[] pkcs8OfRsa(byte[] key) {
    return pkcs8(RSA, NULL, key);
  }

  /**
   * A key as SEC 1 writes it.
   *
   * @param curve the curve's identifier where the key itself does not say it
   */
  static byte[] pkcs8OfElliptic(byte[] key, Optional<byte[]> curve) throws InvalidKeyException {
    byte[] known = curve(key).or(() -> curve).orElse(null);
    if (known == null) {
      throw new InvalidKeyException("the key does not name its curve");
    }
    return pkcs8(ELLIPTIC, known, key);
  }

  private static byte[] pkcs8(byte[] algorithm, byte[] parameters, byte[] key) {
    return element(
        SEQUENCE,
        join(VERSION_0, element(SEQUENCE, join(algorithm, parameters)), element(OCTETS, key)));
  }

  /** The identifier of the curve inside of {@code key}. */
  private static Optional<byte[]> curve(byte[] key) throws InvalidKeyException {
    try {
      ByteBuffer fields = enter(ByteBuffer.wrap(key), SEQUENCE);
      while (fields.hasRemaining()) {
        int tag = Byte.toUnsignedInt(fields.get(fields.position()));
        ByteBuffer field = enter(fields, tag);
        if (tag == CURVE) {
          byte[] curve = new byte[field.remaining()];
          field.get(curve);
          return Optional.of(curve);
        }
      }
      return Optional.empty();
    } catch (RuntimeException e) {
      throw new InvalidKeyException("the key is damaged", e);
    }
  }

  /** The content of the element at the start of {@code from}, which is moved behind it. */
  private static ByteBuffer enter(ByteBuffer from, int tag) {
    if (Byte.toUnsignedInt(from.get()) != tag) {
      throw new IllegalArgumentException();
    }
    int length = Byte.toUnsignedInt(from.get());
    if (length > 0x80) {
      int bytes = length - 0x80;
      length = 0;
      for (int i = 0; i < bytes; i++) {
        length = length << 8 | Byte.toUnsignedInt(from.get());
      }
    }
    ByteBuffer content = from.slice(from.position(), length);
    from.position(from.position() + length);
    return content;
  }

  private static byte[] element(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.length;
    if (length < 0x80) {
      out.write(length);
    } else if (length < 0x100) {
      out.write(0x81);
      out.write(length);
    } else {
      out.write(0x82);
      out.write(length >> 8);
      out.write(length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}

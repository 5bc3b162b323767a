package dev.portolan.backend.windows;

import dev.portolan.core.net.Ip;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * The identifiers of what we make in HNS: the same thing has the same one in every process, and
 * each says that it is ours.
 *
 * <p>They are UUIDs of version 8: the first 48 bits are the letters {@code portol}, and the rest is
 * a hash of what the thing is. So a restart finds what it made before, even what is no longer
 * wanted, and leaves alone what others made.
 */
final class OwnIds {
  private static final long MARK = 0x706f72746f6cL;
  private static final long VERSION = 8;

  private OwnIds() {}

  /** Whether something with this identifier is ours. */
  static boolean isOwn(UUID id) {
    return id.getMostSignificantBits() >>> 12 == ((MARK << 4) | VERSION);
  }

  /** The identifier of a load balancer, derived from these words. */
  static UUID balancer(Object... words) {
    return id("load balancer", words);
  }

  /** The identifier of an endpoint for an address elsewhere. */
  static UUID endpoint(UUID network, Ip address) {
    return id("endpoint", network, address);
  }

  private static UUID id(String kind, Object... words) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
    digest.update(kind.getBytes(StandardCharsets.UTF_8));
    for (Object word : words) {
      digest.update((byte) 0);
      digest.update(word.toString().getBytes(StandardCharsets.UTF_8));
    }
    ByteBuffer hash = ByteBuffer.wrap(digest.digest());
    return new UUID(
        (MARK << 16) | (VERSION << 12) | (hash.getLong() & 0xfff),
        (hash.getLong() & 0x3fffffffffffffffL) | 0x8000000000000000L);
  }
}

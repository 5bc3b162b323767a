package dev.portolan.nftables.table;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.ServicePortName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Names of chains and sets that belong to one service, and comments. */
public final class Names {
  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int LONGEST_NAME = 240;
  private static final int LONGEST_COMMENT = 127;

  private Names() {}

  /** A name for what belongs to a service port: a short hash, then what a person can read. */
  public static String of(ServicePortName name) {
    return hashed(path(name));
  }

  /** A name for what belongs to an endpoint of a service port. */
  public static String of(ServicePortName name, Endpoint endpoint) {
    String address = endpoint.address().toString().replace(':', '.');
    return hashed(path(name) + "__" + address + "/" + endpoint.port());
  }

  /** The service port's name as a comment, cut to what nft takes. */
  public static String comment(ServicePortName name) {
    String text = name.toString();
    return text.length() <= LONGEST_COMMENT ? text : text.substring(0, LONGEST_COMMENT);
  }

  /** The service port that {@link #comment} says; a name that was cut keeps what is left of it. */
  public static ServicePortName port(String comment, Protocol protocol) {
    int slash = comment.indexOf('/');
    int colon = comment.indexOf(':');
    int end = colon < 0 ? comment.length() : colon;
    String port = colon < 0 ? "" : comment.substring(colon + 1);
    return new ServicePortName(
        new NamespacedName(
            comment.substring(0, Math.max(slash, 0)), comment.substring(slash + 1, end)),
        port,
        protocol);
  }

  private static String path(ServicePortName name) {
    return name.service() + "/" + name.protocol().lower() + "/" + name.port();
  }

  private static String hashed(String text) {
    String whole = hash(text) + "-" + text;
    return whole.length() <= LONGEST_NAME ? whole : whole.substring(0, LONGEST_NAME - 3) + "...";
  }

  /** The first 40 bits of the text's SHA-256, in 8 letters. */
  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      long bits = 0;
      for (int i = 0; i < 5; i++) {
        bits = (bits << 8) | Byte.toUnsignedInt(digest[i]);
      }
      StringBuilder letters = new StringBuilder(8);
      for (int i = 7; i >= 0; i--) {
        letters.append(BASE32.charAt((int) (bits >>> (5 * i)) & 31));
      }
      return letters.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}

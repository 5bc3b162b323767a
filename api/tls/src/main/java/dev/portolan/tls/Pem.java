package dev.portolan.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates and private keys in text; error messages are half a sentence, for the caller to
 * complete.
 */
public final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  private Pem() {}

  /** One piece of such a text. */
  private record Block(String label, String text) {
    byte[] bytes() {
      return Base64.getMimeDecoder().decode(text);
    }
  }

  /** The certificates in {@code content}, at least one. */
  public static List<X509Certificate> certificates(byte[] content) throws CertificateException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    for (Block block : blocks(content)) {
      if (block.label.equals("CERTIFICATE")) {
        try {
          certificates.add(
              (X509Certificate)
                  factory.generateCertificate(new ByteArrayInputStream(block.bytes())));
        } catch (CertificateException | IllegalArgumentException e) {
          throw new CertificateException(
              "certificate " + (certificates.size() + 1) + " is damaged", e);
        }
      }
    }
    if (certificates.isEmpty()) {
      throw new CertificateException(
          "it contains no certificate, which starts with '-----BEGIN CERTIFICATE-----'");
    }
    return certificates;
  }

  /** The private key in {@code content}: PKCS#8, PKCS#1 or SEC 1. */
  public static PrivateKey privateKey(byte[] content) throws InvalidKeyException {
    Optional<byte[]> curve = Optional.empty();
    for (Block block : blocks(content)) {
      if (block.label.startsWith("ENCRYPTED") || block.text.contains("ENCRYPTED")) {
        throw new InvalidKeyException(
            "the private key is encrypted with a password, which is not supported");
      }
      try {
        switch (block.label) {
          case "EC PARAMETERS" -> curve = Optional.of(block.bytes());
          case "PRIVATE KEY" -> {
            return decode(block.bytes());
          }
          case "RSA PRIVATE KEY" -> {
            return decode(Der.pkcs8OfRsa(block.bytes()));
          }
          case "EC PRIVATE KEY" -> {
            return decode(Der.pkcs8OfElliptic(block.bytes(), curve));
          }
          default -> {}
        }
      } catch (InvalidKeyException | IllegalArgumentException e) {
        throw new InvalidKeyException("the private key is damaged", e);
      }
    }
    throw new InvalidKeyException(
        "it contains no private key, which starts with '-----BEGIN PRIVATE KEY-----', '-----BEGIN"
            + " RSA PRIVATE KEY-----' or '-----BEGIN EC PRIVATE KEY-----'");
  }

  private static PrivateKey decode(byte[] pkcs8) throws InvalidKeyException {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (GeneralSecurityException e) {
        // A key of another kind, or of none.
      }
    }
    throw new InvalidKeyException("not an RSA, EC or EdDSA key");
  }

  private static List<Block> blocks(byte[] content) {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(new String(content, ISO_8859_1));
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1), matcher.group(2)));
    }
    return blocks;
  }
}

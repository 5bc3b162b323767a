package dev.portolan.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.Certificates;
import java.security.InvalidKeyException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Keys and certificates as programs write them. */
final class PemTest {
  /** What stands before a key in PKCS#8: its version and its algorithm. */
  private static final int HEADER = 26;

  /** The name of the curve P-256. */
  private static final byte[] CURVE = HexFormat.of().parseHex("06082a8648ce3d030107");

  private static byte[] block(String label, byte[] content) {
    String text = Base64.getMimeEncoder().encodeToString(content);
    return "-----BEGIN %s-----\n%s\n-----END %1$s-----\n".formatted(label, text).getBytes(US_ASCII);
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  @Test
  void anRsaKeyIsReadInBothForms() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    PrivateKey key = generator.generateKeyPair().getPrivate();
    byte[] pkcs8 = key.getEncoded();
    byte[] pkcs1 = Arrays.copyOfRange(pkcs8, HEADER, pkcs8.length);
    assertThat(Pem.privateKey(block("PRIVATE KEY", pkcs8))).isEqualTo(key);
    assertThat(Pem.privateKey(block("RSA PRIVATE KEY", pkcs1))).isEqualTo(key);
  }

  @Test
  void theCurveOfAnEllipticKeyMayStandBeforeIt() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    PrivateKey key = generator.generateKeyPair().getPrivate();
    byte[] pkcs8 = key.getEncoded();
    // The key is the last part: a sequence in an octet string.
    int start = 0;
    while (pkcs8[start] != 0x04 || pkcs8[start + 2] != 0x30) {
      start++;
    }
    byte[] sec1 = Arrays.copyOfRange(pkcs8, start + 2, start + 2 + pkcs8[start + 1]);
    byte[] text = join(block("EC PARAMETERS", CURVE), block("EC PRIVATE KEY", sec1));
    assertThat(Pem.privateKey(text)).isEqualTo(key);
  }

  @Test
  void whatStandsBetweenBlocksIsPassedOver() throws Exception {
    byte[] chain =
        join("subject=server\n".getBytes(US_ASCII), Certificates.made().certificate("server"));
    byte[] both = join(chain, Certificates.made().certificate("authority"));
    assertThat(Pem.certificates(both)).hasSize(2);
    assertThatThrownBy(() -> Pem.certificates(join(both, block("CERTIFICATE", new byte[] {1}))))
        .isInstanceOf(CertificateException.class)
        .hasMessage("certificate 3 is damaged");
  }

  @Test
  void aKeyThatCannotBeUsedSaysWhy() {
    assertThatThrownBy(() -> Pem.privateKey(block("ENCRYPTED PRIVATE KEY", new byte[] {1})))
        .isInstanceOf(InvalidKeyException.class)
        .hasMessageContaining("encrypted with a password");
    assertThatThrownBy(() -> Pem.privateKey(block("RSA PRIVATE KEY", new byte[] {1})))
        .hasMessage("the private key is damaged");
    assertThatThrownBy(() -> Pem.privateKey(block("PUBLIC KEY", new byte[] {1})))
        .hasMessageStartingWith("it contains no private key");
  }
}

package dev.portolan.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Certificates;
import dev.portolan.testbase.OwnJvm;
import dev.portolan.tls.Authorities;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A certificate that was signed with SHA-1 is refused, whatever authority signed it. */
final class WeakSignaturesTest {
  /** In a JVM of its own: the rules are read once. */
  @Test
  void areRefusedAndNoPublicAuthorityIsRead(@TempDir Path folder) throws Exception {
    Process process =
        new ProcessBuilder(OwnJvm.words(List.of("-Xlog:class+load:stdout"), Judge.class))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said)
        .contains("server: trusted")
        .containsPattern("weak: .*SHA1 used with certificate");
    assertThat(said).contains("AlgorithmChecker").doesNotContain("AnchorCertificates");
  }

  /** Says of two certificates whether they are trusted. */
  static final class Judge {
    private Judge() {}

    /** Runs in a JVM of its own. */
    public static void main(String[] args) throws Exception {
      WeakSignatures.refuse();
      X509TrustManager trusted = Authorities.trusted(Certificates.made().certificate("authority"));
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (String alias : new String[] {"server", "weak"}) {
        byte[] text = Certificates.made().certificate(alias);
        X509Certificate shown =
            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(text));
        System.out.println(alias + ": " + verdict(trusted, shown));
      }
    }

    private static String verdict(X509TrustManager trusted, X509Certificate shown) {
      try {
        trusted.checkServerTrusted(new X509Certificate[] {shown}, "ECDHE_ECDSA");
        return "trusted";
      } catch (CertificateException e) {
        return e.getMessage();
      }
    }
  }
}

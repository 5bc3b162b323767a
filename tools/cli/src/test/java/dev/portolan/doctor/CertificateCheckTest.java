package dev.portolan.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Certificates;
import dev.portolan.tls.Pem;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Certificates before, at and after their end. */
final class CertificateCheckTest {
  private static X509Certificate certificate(String alias) throws Exception {
    return Pem.certificates(Certificates.made().certificate(alias)).getFirst();
  }

  @Test
  void anExpiredOneFails() throws Exception {
    CheckResult result = new CertificateCheck("client", certificate("expired")).at(Instant.now());
    assertThat(result.status()).isEqualTo(CheckStatus.FAIL);
    assertThat(result.finding()).contains("CN=expired expired on ");
    assertThat(result.remedy()).isEqualTo("renew the client certificate in the kubeconfig");
  }

  @Test
  void theEndIsSaidInTime() throws Exception {
    X509Certificate certificate = certificate("server");
    CertificateCheck check = new CertificateCheck("server", certificate);
    Instant start = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    Duration life = Duration.between(start, end);
    assertThat(check.at(start.plus(life.dividedBy(2))).status()).isEqualTo(CheckStatus.OK);
    assertThat(check.at(end.minus(life.dividedBy(20))).status()).isEqualTo(CheckStatus.WARN);
    assertThat(check.at(end.plusSeconds(1)).status()).isEqualTo(CheckStatus.FAIL);
    assertThat(check.at(start.minusSeconds(1)).status()).isEqualTo(CheckStatus.FAIL);
  }
}

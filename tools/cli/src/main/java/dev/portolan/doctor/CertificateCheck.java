package dev.portolan.doctor;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/** Until when a certificate is valid. */
record CertificateCheck(String use, X509Certificate certificate) {
  private static final Duration SOON = Duration.ofDays(30);
  private static final int PART = 5;

  /** One that lives for a year should be renewed a month before, one of a day some hours. */
  CheckResult at(Instant now) {
    String id = "certificate." + use.replace(' ', '-');
    Instant start = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    String whose = "the certificate of " + certificate.getSubjectX500Principal().getName();
    if (now.isAfter(end)) {
      return CheckResult.fail(id, whose + " expired on " + end, renew());
    }
    if (now.isBefore(start)) {
      return CheckResult.fail(
          id,
          whose + " is valid only from " + start,
          "correct this machine's clock, or " + renew());
    }
    Duration life = Duration.between(start, end);
    Duration warning = life.dividedBy(PART).compareTo(SOON) < 0 ? life.dividedBy(PART) : SOON;
    return now.isAfter(end.minus(warning))
        ? CheckResult.warn(id, whose + " expires soon, on " + end, renew())
        : CheckResult.ok(id, whose + " is valid until " + end);
  }

  private String renew() {
    return switch (use) {
      case "client" -> "renew the client certificate in the kubeconfig";
      case "server" -> "renew the API server's certificate";
      default -> "replace the authority in the kubeconfig, and what it has signed";
    };
  }
}

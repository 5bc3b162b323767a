package dev.portolan.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.Certificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with files is said with the name of the file. */
class TlsFilesTest {
  private static final Certificates CERTIFICATES = Certificates.made();

  @TempDir Path folder;
  private Path key;
  private Path certificate;
  private Path authority;

  @BeforeEach
  void write() throws Exception {
    key = Files.write(folder.resolve("tls.key"), CERTIFICATES.key("server"));
    certificate = Files.write(folder.resolve("tls.crt"), CERTIFICATES.certificate("server"));
    authority = Files.write(folder.resolve("ca.crt"), CERTIFICATES.certificate("authority"));
  }

  private void assertRefused(TlsFiles files, String sentence) {
    assertThatThrownBy(() -> files.load(line -> {}))
        .isInstanceOf(TlsException.class)
        .hasMessage(sentence);
  }

  @Test
  void goodFilesAreGood() throws Exception {
    for (String alias : List.of("server", "client", "client-ec")) {
      Files.write(key, CERTIFICATES.key(alias));
      Files.write(certificate, CERTIFICATES.certificate(alias));
      TlsFiles files = new TlsFiles(key, certificate, authority);
      assertThat(files.load(line -> {}).keyManager()).isNotNull();
    }
  }

  @Test
  void anExpiredCertificateIsNamedWithItsDate() throws Exception {
    Files.write(key, CERTIFICATES.key("expired"));
    Files.write(certificate, CERTIFICATES.certificate("expired"));
    List<String> said = new ArrayList<>();
    new TlsFiles(key, certificate, authority).load(said::add);
    assertThat(said)
        .containsExactly(
            certificate
                + ": this certificate expired on "
                + CERTIFICATES.end("expired").toInstant()
                + "; renew it");
  }

  @Test
  void aMissingFileIsNamed() {
    Path gone = folder.resolve("gone");
    String sentence = gone + ": no such file";
    assertRefused(new TlsFiles(gone, certificate, authority), sentence);
    assertRefused(new TlsFiles(key, gone, authority), sentence);
    assertRefused(new TlsFiles(key, certificate, gone), sentence);
    assertRefused(
        new TlsFiles(folder, certificate, authority), folder + ": cannot be read: it is a folder");
  }

  @Test
  void aFileWithoutWhatItShouldHoldIsNamed() throws Exception {
    Files.write(authority, "hello".getBytes(US_ASCII));
    assertRefused(
        new TlsFiles(key, certificate, authority),
        authority
            + ": it contains no certificate, which starts with '-----BEGIN CERTIFICATE-----'");
    assertThatThrownBy(() -> new TlsFiles(certificate, certificate, authority).load(line -> {}))
        .hasMessageStartingWith(certificate + ": it contains no private key");
  }

  @Test
  void aKeyOfAnotherCertificateIsSaidToBeOne() throws Exception {
    for (String other : List.of("client", "client-ec")) {
      Files.write(key, CERTIFICATES.key(other));
      assertRefused(
          new TlsFiles(key, certificate, authority),
          key
              + ": this key does not match the certificate in "
              + certificate
              + "; use a key and a certificate that belong together");
    }
  }
}

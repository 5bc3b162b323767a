package dev.portolan.cli.peers;

import dev.portolan.testbase.Certificates;
import dev.portolan.tls.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Certificates as files, and as flags of the programs in Go. */
record TestCertificates(Path folder) {
  /** Files for {@code alias}, which trusts {@code authority}. */
  TlsFiles files(String alias, String authority) throws Exception {
    Certificates made = Certificates.made();
    return new TlsFiles(
        Files.write(folder.resolve(alias + ".key"), made.key(alias)),
        Files.write(folder.resolve(alias + ".crt"), made.certificate(alias)),
        Files.write(folder.resolve(authority + "-ca.crt"), made.certificate(authority)));
  }

  static List<String> flags(TlsFiles files) {
    return List.of(
        "-tls-key",
        files.key().toString(),
        "-tls-crt",
        files.certificate().toString(),
        "-tls-ca",
        files.ca().toString());
  }
}

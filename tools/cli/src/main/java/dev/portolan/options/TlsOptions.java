package dev.portolan.options;

import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import dev.portolan.tls.TlsFiles;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The certificates with which both sides of a tcp:// address authenticate each other. */
public final class TlsOptions {
  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "This side's private key, in PEM; for tcp:// addresses.")
  private @Nullable String key;

  @Option(
      names = "--tls-crt",
      paramLabel = "FILE",
      description = "This side's certificate and intermediates, in PEM.")
  private @Nullable String certificate;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description = "The authorities that may sign the other side's certificate.")
  private @Nullable String ca;

  /** The files, if they were named. */
  public Optional<TlsFiles> files() {
    if (key == null && certificate == null && ca == null) {
      return Optional.empty();
    }
    if (key == null || certificate == null || ca == null) {
      throw CommandFailure.usage(
          "--tls-key, --tls-crt and --tls-ca must be used together; set all three, or none");
    }
    return Optional.of(
        new TlsFiles(path("--tls-key", key), path("--tls-crt", certificate), path("--tls-ca", ca)));
  }

  private static Path path(String option, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw CommandFailure.usage(option + ": '" + Text.printable(text) + "' is not a valid path");
    }
  }
}

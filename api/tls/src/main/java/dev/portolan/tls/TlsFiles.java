package dev.portolan.tls;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * What it takes to show who one is, and to know the other side; files in PEM.
 *
 * <p>They are read again when they change, and a new certificate counts for new connections. What
 * cannot be read then leaves the last good state in place.
 *
 * @param key the private key
 * @param certificate its certificate, and those that lead to the authority
 * @param ca the authorities whose signature the other side must have
 */
public record TlsFiles(Path key, Path certificate, Path ca) {
  /**
   * Reads the files now, and again when they change.
   *
   * @param log notified of what is wrong with files that changed
   * @throws TlsException where a file is missing or unfit now
   */
  public ReloadingTls load(Consumer<String> log) throws TlsException {
    return new ReloadingTls(this, log);
  }
}

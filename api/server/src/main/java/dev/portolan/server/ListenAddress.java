package dev.portolan.server;

import dev.portolan.api.transport.Address;
import dev.portolan.tls.TlsFiles;
import java.util.Optional;

/**
 * Where a server listens.
 *
 * @param tls by which server and clients know each other; needed on a port
 */
public record ListenAddress(Address address, Optional<TlsFiles> tls) {
  /** Without certificates. */
  public static ListenAddress plain(Address address) {
    return new ListenAddress(address, Optional.empty());
  }

  /** With certificates on both sides. */
  public static ListenAddress tls(Address address, TlsFiles files) {
    return new ListenAddress(address, Optional.of(files));
  }
}

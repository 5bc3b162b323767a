package dev.portolan.daemon.outlet;

import dev.portolan.tls.TlsFiles;
import dev.portolan.wiring.ChartOpener;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes the server of a daemon's chart; called only if the daemon has one. */
@FunctionalInterface
public interface ChartMaker {
  /**
   * What serves a chart at {@code address}.
   *
   * @param tls used where other machines can reach the address
   * @param token the path of a file with a token; empty for none
   * @param log notified of what is wrong with certificates or the token later
   * @throws IllegalArgumentException where nothing can be served there, with a sentence
   */
  ChartOpener at(String address, Optional<TlsFiles> tls, String token, Consumer<String> log);
}

package dev.portolan.web;

import dev.portolan.tls.TlsFiles;
import dev.portolan.web.answer.Answers;
import dev.portolan.web.http.ChartListener;
import dev.portolan.web.http.ChartServer;
import dev.portolan.wiring.ChartOpener;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** A chart that a process serves beside its work. */
public record ServedChart(ChartServer server) implements ChartOpener.OpenChart {
  /**
   * Serves charts at {@code address}.
   *
   * @param tls used where other machines can reach the address
   * @param token the path of a file with a token; empty for none
   * @param maker who answers what commands answer as well
   * @param log notified of what is wrong with certificates or the token later
   * @throws IllegalArgumentException where nothing can be served there, with a sentence
   */
  public static ChartOpener at(
      String address,
      Optional<TlsFiles> tls,
      String token,
      Answers.Maker maker,
      Consumer<String> log) {
    ChartListener listener = ChartListener.parse(address, tls, path(token));
    return subject -> new ServedChart(ChartServer.start(listener, subject, maker, log));
  }

  private static Optional<Path> path(String token) {
    try {
      return token.isEmpty() ? Optional.empty() : Optional.of(Path.of(token));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("the token's file '" + token + "' is not a path", e);
    }
  }

  @Override
  public String url() {
    return server.url();
  }

  @Override
  public void close() {
    server.close();
  }
}

package dev.portolan.cli.peers;

import dev.portolan.api.transport.Address;
import dev.portolan.testkit.peers.GoProgram;
import dev.portolan.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The brain in Go, which serves what a file says. */
final class GoBrain implements AutoCloseable {
  private static final String LISTENING = "listening on ";

  private final Path folder;
  private final Address wanted;
  private final Optional<TlsFiles> tls;
  private GoProcess process;
  private int files;

  /** Serves {@code content} on {@code address}. */
  GoBrain(Path folder, Address address, Optional<TlsFiles> tls, String content) throws Exception {
    this.folder = folder;
    this.wanted = address;
    this.tls = tls;
    process = start(content);
  }

  private GoProcess start(String content) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-listen", wanted.toString()));
    tls.ifPresent(given -> arguments.addAll(TestCertificates.flags(given)));
    arguments.add(write(content).toString());
    GoProcess started = new GoProcess(GoProgram.BRAIN, arguments);
    started.await(output -> !output.isEmpty());
    return started;
  }

  private Path write(String content) throws IOException {
    files++;
    return Files.writeString(folder.resolve("content-" + files + ".json"), content);
  }

  /** Where it listens. */
  Address address() {
    String said = process.output().getFirst().substring(LISTENING.length());
    return wanted instanceof Address.Unix ? wanted : Address.parse("tcp://" + said);
  }

  /** Serves something else from now on. */
  void serve(String content) throws Exception {
    process.write(write(content).toString());
  }

  /** Waits until a client has taken a whole state from it since it started: then it asks again. */
  void awaitTaken() throws InterruptedException {
    process.await(output -> Collections.frequency(output, "asked") > 1);
  }

  /** Is killed, and comes back with {@code content}. */
  void restart(String content) throws Exception {
    process.close();
    process = start(content);
  }

  @Override
  public void close() {
    process.close();
  }
}

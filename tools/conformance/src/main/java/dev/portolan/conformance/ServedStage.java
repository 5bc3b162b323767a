package dev.portolan.conformance;

import dev.portolan.api.transport.Address;
import dev.portolan.brain.NodeSettings;
import dev.portolan.client.Connection;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.lab.Namespace;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ClientStatus;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.ListenException;
import dev.portolan.server.Options;
import dev.portolan.tls.TlsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A brain behind a socket, and a candidate that connects to it. */
final class ServedStage extends ExerciseStage {
  private final Candidate candidate;
  private final Optional<Namespace> namespace;
  private final Path folder;
  private final Path socket;
  private final Transcript transcript;
  private @Nullable BrainServer server;
  private @Nullable Connection brain;
  private @Nullable RecordingProxy proxy;
  private Candidate.@Nullable Running running;

  /** How many sets of changes must have gone out before all can be applied. */
  private long needed;

  ServedStage(
      Candidate candidate,
      Optional<Namespace> namespace,
      String node,
      NodeSettings settings,
      Sizes sizes,
      Consumer<String> progress) {
    super(node, settings, sizes, progress);
    this.candidate = candidate;
    this.namespace = namespace;
    this.transcript = new Transcript(node);
    try {
      this.folder = Files.createTempDirectory("conformance");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.socket = folder.resolve("api.sock");
  }

  @Override
  void begin(ClusterImage cluster) {
    serverComes(cluster);
    candidateComes();
  }

  /** Starts the candidate. */
  void candidateComes() {
    running = candidate.start(new Candidate.Place(new Address.Unix(socket), node(), namespace));
  }

  @Override
  void serverComes(ClusterImage cluster) {
    think(cluster);
    Address inside = new Address.InProcess("conformance-" + UUID.randomUUID());
    try {
      server =
          BrainServer.start(
              brain(),
              Options.builder().settings(settings()).listen(ListenAddress.plain(inside)).build());
      brain = Connection.open(inside, Optional.empty());
    } catch (ListenException | TlsException e) {
      throw new IllegalStateException(e);
    }
    needed = transcript.syncs() + 1;
    proxy = new RecordingProxy(socket, brain.channel(), transcript);
  }

  @Override
  void serverGoes() {
    if (proxy != null) {
      proxy.close();
    }
    if (brain != null) {
      brain.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @Override
  void restartCandidate(Runnable meanwhile) {
    running().close();
    meanwhile.run();
    needed = transcript.syncs() + 1;
    candidateComes();
  }

  @Override
  void startOver() {
    needed = transcript.syncs() + 1;
    proxy().startOver();
  }

  /** Cuts the connection; the candidate may connect again. */
  void cut() {
    needed = transcript.syncs() + 1;
    proxy().cut();
  }

  /** Stops the next set of changes after a number of items; {@link #awaitHold} waits for that. */
  Hold hold(int items) {
    return proxy().hold(items);
  }

  /** Waits until the stream stands still. */
  void awaitHold(Hold hold) {
    await(hold::isReached, () -> "it did not ask for a change that was there");
  }

  /** Lets the stream go on. */
  void release() {
    proxy().release();
  }

  private RecordingProxy proxy() {
    if (proxy == null) {
      throw new IllegalStateException("the server is not there yet");
    }
    return proxy;
  }

  @Override
  Candidate.Running running() {
    if (running == null) {
      throw new IllegalStateException("the candidate is not there yet");
    }
    return running;
  }

  @Override
  boolean isApplied() {
    if (server == null || transcript.syncs() < needed || !proxy().isQuiet()) {
      return false;
    }
    List<ClientStatus> clients = clients(server);
    return !clients.isEmpty()
        && clients.stream().allMatch(client -> client.sent() >= client.revision())
        && transcript.isAcknowledged()
        && proxy().isQuiet();
  }

  private List<ClientStatus> clients(BrainServer server) {
    return server.clients().stream()
        .filter(client -> client.connected() && client.node().equals(node()))
        .toList();
  }

  @Override
  String arrears() {
    if (server == null || clients(server).isEmpty()) {
      return "did not connect to unix://" + socket + " and ask for node " + node();
    }
    return transcript.syncs() < needed ? "did not read what it asked for" : transcript.arrears();
  }

  @Override
  List<String> offences() {
    return transcript.offences();
  }

  @Override
  public void close() {
    try {
      if (running != null) {
        running.close();
      }
    } finally {
      serverGoes();
      remove();
    }
  }

  private void remove() {
    try {
      Files.deleteIfExists(socket);
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

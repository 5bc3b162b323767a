package dev.portolan.conformance;

import dev.portolan.client.Connection;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.core.backend.Backend;
import dev.portolan.lab.Namespace;
import dev.portolan.sync.Keeper;
import dev.portolan.tls.TlsException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** A backend in Java, run behind a connection by a {@link Keeper}, as in a program. */
final class BackendCandidate<B extends Backend> implements Candidate {
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);
  private final Supplier<B> backends;
  private final Function<B, Optional<List<String>>> state;

  BackendCandidate(Supplier<B> backends, Function<B, Optional<List<String>>> state) {
    this.backends = backends;
    this.state = state;
  }

  B make() {
    return backends.get();
  }

  Optional<List<String>> state(B backend) {
    return state.apply(backend);
  }

  @Override
  public Running start(Place place) {
    return new Runner(place);
  }

  private final class Runner implements Running {
    private final Connection connection;
    private final RemoteNode node;
    private final B backend;
    private final KeeperThread keeper;

    Runner(Place place) {
      try {
        connection = Connection.open(place.api(), Optional.empty());
      } catch (TlsException e) {
        throw new IllegalStateException(e);
      }
      node =
          RemoteNode.open(
              connection,
              Subscription.of(place.node()).clientName("conformance").errorDelay(LONGEST_PAUSE));
      Optional<Namespace> namespace = place.namespace();
      backend = namespace.isPresent() ? namespace.get().call(backends::get) : backends.get();
      keeper =
          new KeeperThread(
              namespace.isPresent() ? namespace.get().call(this::keeper) : keeper(),
              work -> namespace.isPresent() ? () -> namespace.get().run(work) : work);
    }

    private Keeper keeper() {
      return new Keeper(node, backend, Keeper.Options.DEFAULT, node.acknowledgement());
    }

    @Override
    public Optional<String> ended() {
      return keeper.ended();
    }

    @Override
    public Optional<List<String>> state() {
      return state.apply(backend);
    }

    @Override
    public void close() {
      keeper.stop();
      node.close();
      connection.close();
      keeper.close();
    }
  }
}

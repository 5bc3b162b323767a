package dev.portolan.conformance;

import dev.portolan.api.transport.TlsException;
import dev.portolan.client.BackendRunner;
import dev.portolan.client.Connection;
import dev.portolan.client.Subscription;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.sync.Pace;
import dev.portolan.sync.SyncLoop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** A backend of Java, run on a connection by {@link BackendRunner}, as a program of it would. */
final class BackendCandidate<B extends Backend> implements Candidate {
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);
  private static final SyncLoop.Listener SILENT =
      new SyncLoop.Listener() {
        @Override
        public void applied(NodeImage before, NodeImage after, NodeDelta delta, Duration took) {}

        @Override
        public void failed(BackendException failure, Duration pause) {}
      };

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
    private final B backend;
    private final Thread thread;
    private volatile String end = "";

    Runner(Place place) {
      try {
        connection = Connection.open(place.api(), Optional.empty());
      } catch (TlsException e) {
        throw new IllegalStateException(e);
      }
      backend =
          place.namespace().isPresent()
              ? place.namespace().get().call(backends::get)
              : backends.get();
      BackendRunner runner =
          new BackendRunner(
              connection,
              Subscription.of(place.node()).clientName("conformance").errorDelay(LONGEST_PAUSE),
              backend,
              Pace.DEFAULT,
              SILENT);
      Runnable work =
          place.namespace().isPresent()
              ? () -> place.namespace().get().run(() -> run(runner))
              : () -> run(runner);
      thread = Thread.ofPlatform().daemon().name("conformance").start(work);
    }

    private void run(BackendRunner runner) {
      try {
        runner.run();
      } catch (InterruptedException e) {
        // It was stopped.
      } catch (RuntimeException e) {
        end = e.toString();
      }
    }

    @Override
    public Optional<String> ended() {
      return end.isEmpty() ? Optional.empty() : Optional.of(end);
    }

    @Override
    public Optional<List<String>> state() {
      return state.apply(backend);
    }

    @Override
    public void close() {
      Threads.end(thread);
      connection.close();
      backend.close();
    }
  }
}

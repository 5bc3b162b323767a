package dev.portolan.client;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.Backoff;
import dev.portolan.core.error.Threads;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.status.ProxyStatus;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Observer;
import dev.portolan.sync.Pace;
import dev.portolan.telemetry.http.PortUnavailableException;
import dev.portolan.tls.TlsException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * A backend as a whole program: flags, connection, reconnects and signals are done here.
 *
 * <pre>{@code
 * void main(String[] args) {
 *   Portolan.run(args, state -> state.services().forEach(IO::println));
 * }
 * }</pre>
 *
 * <p>{@code --help} lists the flags.
 */
public final class Portolan {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int MISTAKE = 2;

  private final PrintStream out;
  private final PrintStream err;

  Portolan(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /**
   * Hands each new state of the node to {@code handler}, until the program is stopped; an invalid
   * flag ends it with a message and status 2. Whatever the handler throws is reported, to the brain
   * too, and the then newest state tried again after a pause that grows; a {@link BackendException}
   * brings its own sentence. States that come while a handler is at work are handed over as one,
   * and one that takes more than 100 ms is called less often, so that it rests four fifths of the
   * time.
   */
  public static void run(String[] args, Consumer<NodeImage> handler) {
    Portolan program = new Portolan(System.out, System.err);
    end(program.untilSignal(() -> program.execute(List.of(args), handler)));
  }

  /**
   * Keeps {@code backend} equal to what is decided for the node, in the same way, and closes it in
   * the end. A {@link Keeper} runs it, as it runs Portolan's own: with retries, audits and, where
   * the backend uses connection tracking, the end of stale flows.
   */
  public static void run(String[] args, Backend backend) {
    Portolan program = new Portolan(System.out, System.err);
    end(program.untilSignal(() -> program.execute(List.of(args), backend)));
  }

  private static void end(int status) {
    if (status != OK) {
      System.exit(status);
    }
  }

  /** Something to do with a connection. */
  private interface Following {
    void run(Connection connection, Subscription subscription) throws InterruptedException;
  }

  int execute(List<String> args, Consumer<NodeImage> handler) {
    return perform(
        args,
        name(handler),
        flags ->
            flags.once()
                ? (connection, subscription) -> once(connection, subscription, flags, handler)
                : (connection, subscription) ->
                    keep(
                        connection,
                        subscription,
                        flags,
                        new Pace(Duration.ZERO, flags.errorDelay(), Duration.ZERO),
                        node -> new HandlerBackend(handler, node, flags.held())));
  }

  int execute(List<String> args, Backend backend) {
    return perform(
        args,
        name(backend),
        flags -> {
          if (flags.once() || !flags.held().equals(Position.NONE)) {
            throw new IllegalArgumentException(
                "--once, --instance-id and --rev are not supported by this program, which needs"
                    + " every state; remove them");
          }
          return (connection, subscription) ->
              keep(connection, subscription, flags, Pace.DEFAULT, node -> backend);
        });
  }

  private int perform(List<String> args, String name, Function<BackendFlags, Following> chosen) {
    BackendFlags flags;
    Following following;
    Connection opened;
    try {
      flags = BackendFlags.parse(args);
      if (flags.help()) {
        out.print(BackendFlags.HELP);
        return OK;
      }
      following = chosen.apply(flags);
      opened =
          Connection.open(
              flags.api(),
              flags.tls(),
              Connection.Options.DEFAULT
                  .mostMessageBytes(flags.mostMessageBytes())
                  .log(this::remark));
    } catch (IllegalArgumentException | TlsException e) {
      remark(String.valueOf(e.getMessage()));
      return MISTAKE;
    }
    try (Connection connection = opened) {
      following.run(
          connection,
          Subscription.of(flags.node())
              .clientName(name)
              .errorDelay(flags.errorDelay())
              .metadata(flags.metadata())
              .listener(new Remarks(flags.api() + ": connected again")));
    } catch (PortUnavailableException e) {
      remark(String.valueOf(e.getMessage()));
      return FAILED;
    } catch (InterruptedException e) {
      // It was stopped.
    } catch (Throwable e) {
      failed(BackendException.of(e));
      return FAILED;
    }
    return OK;
  }

  /** The class that {@code author} is of, or was written in, as a person would write it. */
  static String name(Object author) {
    return switch (author) {
      case ListenerBackend backend -> name(backend.listener());
      case AddressBackend backend -> name(backend.listener());
      default ->
          author
              .getClass()
              .getName()
              .replaceFirst("\\$\\$.*", "")
              .replaceFirst(".*\\.", "")
              .replaceAll("\\$[0-9]+$", "")
              .replaceAll("\\$[0-9]*", ".");
    };
  }

  /** Says when a brain is lost, and when it is back. */
  private final class Remarks implements LinkListener {
    private final String back;
    private boolean lost;

    Remarks(String back) {
      this.back = back;
    }

    @Override
    public void connected() {
      if (lost) {
        lost = false;
        remark(back);
      }
    }

    @Override
    public void lost(String sentence) {
      lost = true;
      remark(sentence);
    }
  }

  /** Hands over one state, again until the handler takes it. */
  private void once(
      Connection connection,
      Subscription subscription,
      BackendFlags flags,
      Consumer<NodeImage> handler)
      throws InterruptedException {
    Backoff backoff = new Backoff(FIRST_RETRY, flags.errorDelay());
    try (StateClient client = StateClient.single(connection, subscription, flags.held());
        ProxyStatus status = ProxyStatus.open(client.node(), flags.status().log(this::remark))) {
      while (true) {
        NodeImage state = client.next().orElseThrow();
        long begin = System.nanoTime();
        try {
          handler.accept(state);
          status.applied(NodeChange.to(state), Duration.ofNanos(System.nanoTime() - begin));
          break;
        } catch (Throwable e) {
          BackendException failure = BackendException.of(e);
          if (!Thread.currentThread().isInterrupted()) {
            failed(failure);
          }
          client.failed(String.valueOf(failure.getMessage()));
          Duration pause = backoff.next();
          status.failed(failure, Duration.ofNanos(System.nanoTime() - begin), pause);
          Thread.sleep(pause);
        }
      }
      client.finish();
      remark("continue from here with " + resume(client.position()));
    }
  }

  private static String resume(Position position) {
    return "--instance-id "
        + Long.toUnsignedString(position.instance())
        + " --rev "
        + Long.toUnsignedString(position.revision());
  }

  private void keep(
      Connection connection,
      Subscription subscription,
      BackendFlags flags,
      Pace pace,
      Function<RemoteNode, Backend> backend)
      throws InterruptedException {
    try (RemoteNode node = RemoteNode.open(connection, subscription);
        ProxyStatus status = ProxyStatus.open(node, flags.status().log(this::remark));
        Keeper keeper =
            new Keeper(
                node,
                backend.apply(node),
                Keeper.Options.DEFAULT.pace(pace),
                node.acknowledgement(),
                new Failures(),
                status)) {
      keeper.run();
    }
  }

  /** Says what went wrong. */
  private final class Failures implements Observer {
    @Override
    public void failed(BackendException failure, Duration took, Duration pause) {
      Portolan.this.failed(failure);
    }

    @Override
    public void flowsEnded(Cleaning cleaning) {
      cleaning.firstFailure().ifPresent(Portolan.this::remark);
    }

    @Override
    public void flowsNotEnded(BackendException failure) {
      Portolan.this.failed(failure);
    }

    @Override
    public void repaired(int objects, String cause) {
      remark("repaired " + objects + " objects after " + cause);
    }

    @Override
    public void contested(int repairs, String cause, Duration pause) {
      remark(
          "another program keeps changing this back: repaired "
              + repairs
              + " times in a row, last after "
              + cause
              + "; the next repair is in "
              + pause.toSeconds()
              + " s");
    }

    @Override
    public void notRepaired(BackendException failure) {
      Portolan.this.failed(failure);
    }
  }

  /** Says why something failed, in one line; where it was asked for, with the way there. */
  private void failed(BackendException failure) {
    remark(String.valueOf(failure.getMessage()));
    if (System.getenv("PORTOLAN_DEBUG") != null) {
      failure.printStackTrace(err);
    }
  }

  private void remark(String sentence) {
    err.println(sentence);
  }

  /**
   * Does {@code work} on this thread, which is interrupted on Ctrl-C or SIGTERM; the status that
   * the work then returns is the process's.
   */
  private int untilSignal(IntSupplier work) {
    Thread worker = Thread.currentThread();
    CountDownLatch done = new CountDownLatch(1);
    Thread hook = Threads.platform("stop-signal").unstarted(() -> stop(worker, done));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return work.getAsInt();
    } finally {
      done.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process is ending already, and the hook has the last word.
      }
    }
  }

  private void stop(Thread worker, CountDownLatch done) {
    worker.interrupt();
    boolean stopped = false;
    try {
      stopped = done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      // Hooks are not interrupted; if one is, it ends at once.
    }
    if (!stopped) {
      remark("did not stop within " + PATIENCE.toSeconds() + " seconds");
    }
    out.flush();
    Runtime.getRuntime().halt(stopped ? OK : FAILED);
  }
}

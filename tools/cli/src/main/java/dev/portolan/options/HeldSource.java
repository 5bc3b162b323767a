package dev.portolan.options;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Threads;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A source that is read from the start on, and followed later: so a command can look at the first
 * state, choose a node in it and go on without reading everything again. A failure before the first
 * state ends the command; after it the source tries again by itself.
 */
public final class HeldSource implements Source, AutoCloseable {
  private final Source source;
  private final String where;
  private final Remarks remarks;
  private final boolean strict;
  private final Thread reader;
  private @Nullable ClusterImage newest;
  private @Nullable Throwable failure;
  private @Nullable Sink taker;
  private boolean ended;

  /**
   * Starts to read.
   *
   * @param where the source in words
   * @param strict whether whatever is reported before the first state is a failure, too
   */
  HeldSource(Source source, String where, boolean strict, Remarks remarks) {
    this.source = source;
    this.where = where;
    this.strict = strict;
    this.remarks = remarks;
    this.reader = Threads.virtual("source").named("read " + where).start(this::read);
  }

  private void read() {
    try {
      source.run(new Held());
    } catch (InterruptedException e) {
      // No consumer wants more of it.
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    synchronized (this) {
      ended = true;
      notifyAll();
    }
  }

  private synchronized void fail(Throwable cause) {
    failure = failure == null ? cause : failure;
    notifyAll();
  }

  /** The first state; a failure where it takes longer. */
  ClusterImage first(Duration longest) {
    try (Waiting _ = Waiting.announce(() -> "waiting for the cluster from " + where, remarks)) {
      return await(longest);
    } catch (InterruptedException e) {
      throw CommandFailure.input("interrupted while " + where + " was read");
    }
  }

  /** The first state, whenever it comes. */
  public ClusterImage first() {
    return first(SourceOptions.FOREVER);
  }

  private synchronized ClusterImage await(Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (newest == null) {
      throwFailure();
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw CommandFailure.refused(
            ErrorCode.BRAIN_API,
            where
                + ": no cluster received within "
                + longest.toSeconds()
                + " seconds; has the brain read it yet? See its log");
      }
      wait(left);
    }
    return newest;
  }

  private void throwFailure() {
    switch (failure) {
      case null -> {}
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  /** Hands over what was read, and from now on each state at once. */
  @Override
  public synchronized void run(Sink sink) throws InterruptedException {
    if (newest != null) {
      sink.apply(newest);
    }
    taker = sink;
    while (!ended) {
      wait();
    }
    throwFailure();
  }

  @Override
  public Optional<String> place(ObjectRef object) {
    return source.place(object);
  }

  @Override
  public Map<String, String> versions() {
    return source.versions();
  }

  /** Stops to read. */
  @Override
  public void close() {
    reader.interrupt();
  }

  /** Keeps what comes until it is taken. */
  private final class Held implements Sink {
    @Override
    public void apply(ClusterImage cluster) {
      synchronized (HeldSource.this) {
        newest = cluster;
        if (taker != null) {
          taker.apply(cluster);
        }
        HeldSource.this.notifyAll();
      }
    }

    @Override
    public void report(String problem) {
      synchronized (HeldSource.this) {
        if (taker != null) {
          taker.report(problem);
        } else if (strict && newest == null) {
          fail(CommandFailure.input(Text.printable(problem)));
          reader.interrupt();
        } else {
          remarks.warn(problem);
        }
      }
    }

    @Override
    public void retrying(ErrorCode code, String problem, String meanwhile) {
      synchronized (HeldSource.this) {
        if (taker != null) {
          taker.retrying(code, problem, meanwhile);
        } else if (newest == null) {
          fail(CommandFailure.input(Text.printable(code.mark(problem))));
          reader.interrupt();
        } else {
          Sink.super.retrying(code, problem, meanwhile);
        }
      }
    }

    @Override
    public void recovered() {
      synchronized (HeldSource.this) {
        if (taker != null) {
          taker.recovered();
        }
      }
    }
  }
}

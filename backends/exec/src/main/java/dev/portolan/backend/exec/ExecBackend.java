package dev.portolan.backend.exec;

import dev.portolan.backend.exec.ExecOptions.Format;
import dev.portolan.backend.exec.ExecOptions.Mode;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hands each change to a program, and returns when the program says that it is applied.
 *
 * <p>The program is started at the first sync. One that fails during a sync is started again by the
 * next; the end of one between two syncs raises a suspicion, and the audit that follows starts it
 * again. Both come after a pause that grows while the program keeps failing. One that a signal
 * stopped is left alone for the grace period: Ctrl-C, and what stops a service, signal a whole
 * process group, so this process is about to be stopped as well. A new run gets the whole state. So
 * does a program that could not apply a change, because how much of it was done is not known.
 */
public final class ExecBackend implements Backend {
  private final ExecOptions options;
  private final String name;
  private final RestartPause pause = new RestartPause();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable ProgramRun program;
  private volatile Consumer<String> suspicions = cause -> {};
  private String node = "";
  private boolean inStep;

  /** The run that ended between two syncs, until another is started. */
  private @Nullable ProgramRun gone;

  /** A backend that starts its program with the first change. */
  public ExecBackend(ExecOptions options) {
    this.options = options;
    this.name = "exec: the program '" + ProgramRun.readable(options.command().getFirst()) + "'";
  }

  @Override
  public synchronized void sync(NodeChange change) {
    node = change.after().facts().name();
    tell(change.after(), change.isFull() ? Optional.empty() : Optional.of(change));
  }

  /** Starts the program again where it ended, or has not applied all that it was sent. */
  @Override
  public synchronized Audit audit(NodeImage applied) {
    if (options.mode() != Mode.CALL && (program == null || !inStep)) {
      tell(applied, Optional.empty());
    }
    return Audit.CLEAN;
  }

  @Override
  public Watch watch(Consumer<String> suspicions) {
    this.suspicions = suspicions;
    return () -> this.suspicions = cause -> {};
  }

  /** Brings the program to {@code image}, by {@code change} where that is enough. */
  private void tell(NodeImage image, Optional<NodeChange> change) {
    String what = "revision " + image.revision();
    if (options.mode() == Mode.CALL) {
      call(
          options.format() == Format.KPNG
              ? ChangeLines.services(image, Format.KPNG)
              : ChangeLines.whole(image, Format.PORTOLAN),
          image.revision(),
          what);
      return;
    }
    ProgramRun running = running();
    boolean different = options.mode() == Mode.INCREMENTAL && inStep && change.isPresent();
    inStep = false;
    running.send(
        different ? ChangeLines.change(change.get()) : ChangeLines.whole(image, options.format()),
        image.revision(),
        false);
    await(running, image.revision(), what);
    inStep = true;
  }

  /** The program, started if it does not run. */
  private ProgramRun running() {
    ProgramRun known = program;
    if (known != null && !known.hasEnded() && !known.isBusy()) {
      return known;
    }
    if (known != null && known.hasEnded()) {
      gone = known;
    }
    if (known != null) {
      // It ended, or the wait for it was interrupted in the middle of a change.
      discard(known);
    }
    rest();
    ProgramRun before = gone;
    gone = null;
    if (before != null) {
      options.log().accept(name + " " + before.ending() + "; restarting it");
    }
    return start();
  }

  /** Leaves the program alone for as long as its failures, or the way it ended, ask for. */
  private void rest() {
    long pauses = pause.remaining(System.nanoTime()).toNanos();
    long least = gone != null && gone.wasStopped() ? options.grace().toNanos() : 0;
    try {
      if (closed.await(Math.max(pauses, least), TimeUnit.NANOSECONDS)) {
        throw new BackendException(
            ErrorCode.PROGRAM, name + " is not started: this backend is closed");
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private ProgramRun start() {
    try {
      ProgramRun started = ProgramRun.start(options, node, this::ended);
      inStep = false;
      program = started;
      if (closed.getCount() == 0) {
        started.end(options.grace());
      }
      return started;
    } catch (BackendException e) {
      pause.failed(Duration.ZERO, System.nanoTime());
      throw e;
    }
  }

  private void discard(ProgramRun given) {
    program = null;
    pause.failed(given.age(), System.nanoTime());
    given.kill();
  }

  /** Waits until the program has applied what it was sent; else says why not. */
  private void await(ProgramRun running, long revision, String what) {
    try {
      if (!options.answers()) {
        if (!running.awaitWritten(options.timeout())) {
          throw lost(running, what);
        }
        return;
      }
      Optional<Answer> answer = running.awaitAnswer(options.timeout());
      checkForm(answer, revision, what);
      // One that answers before it has read everything must still read it, or be gone.
      if (answer.isEmpty() || !(running.awaitWritten(options.timeout()) || running.isDeaf())) {
        throw lost(running, what);
      }
      checkSuccess(answer, what);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /** Throws where the answer, if there is one, cannot be read, or answers something else. */
  private void checkForm(Optional<Answer> answer, long revision, String what) {
    switch (answer.orElse(null)) {
      case null -> {}
      case Answer.Applied applied -> checkRevision(applied.revision(), revision, what);
      case Answer.Failed failed -> checkRevision(failed.revision(), revision, what);
      case Answer.Unclear unclear ->
          throw new BackendException(
              ErrorCode.PROGRAM,
              "%s: this answer to %s was not understood: %s; %s, as in {\"applied\": %d}"
                  .formatted(
                      name, what, ProgramRun.readable(unclear.line()), unclear.rule(), revision));
    }
  }

  private void checkRevision(long answered, long asked, String what) {
    if (answered != asked) {
      throw new BackendException(
          ErrorCode.PROGRAM,
          "%s answered revision %d, asked was %s"
              .formatted(name, answered, asked == 0 ? "0, " + what : String.valueOf(asked)));
    }
  }

  private void checkSuccess(Optional<Answer> answer, String what) {
    if (answer.orElse(null) instanceof Answer.Failed failed) {
      throw new BackendException(
          ErrorCode.PROGRAM,
          name + " failed to apply " + what + ": " + ProgramRun.readable(failed.error()));
    }
  }

  /** Gives a program up that ended or is stuck; returns what to say about it. */
  private BackendException lost(ProgramRun running, String what) throws InterruptedException {
    boolean deaf = running.isDeaf();
    boolean ended = deaf && running.awaitEnd(options.grace());
    discard(running);
    if (running.wasStopped()) {
      boolean _ = closed.await(options.grace().toNanos(), TimeUnit.NANOSECONDS);
    }
    if (ended) {
      return new BackendException(
          ErrorCode.PROGRAM, name + " " + running.ending() + ", while reading " + what);
    }
    return new BackendException(
        ErrorCode.PROGRAM,
        name
            + (deaf
                ? " closed its standard input while reading " + what
                : " did not " + wanted(what) + " within " + seconds(options.timeout()))
            + ", and was killed; the next sync restarts it");
  }

  private String wanted(String what) {
    return options.mode() == Mode.CALL
        ? "end with " + what
        : options.answers()
            ? "answer to " + what + " (does it read its input and flush its output?)"
            : "read " + what;
  }

  /** Runs the program for one change: its end is its answer. */
  private void call(Stream<String> lines, long revision, String what) {
    ProgramRun called = start();
    try {
      called.send(lines, revision, true);
      called.awaitEnd(options.timeout());
      checkSuccess(called.awaitAnswer(Duration.ZERO), what);
      endedWell(called, what);
    } catch (InterruptedException e) {
      throw interrupted();
    } finally {
      program = null;
      called.kill();
    }
  }

  private void endedWell(ProgramRun running, String what) throws InterruptedException {
    if (!running.hasEnded() || running.status() != 0) {
      throw lost(running, what);
    }
  }

  /** Lets a program that ended between two syncs be started again. */
  private void ended(ProgramRun run) {
    synchronized (this) {
      if (program != run || options.mode() == Mode.CALL || closed.getCount() == 0) {
        return;
      }
      discard(run);
      gone = run;
    }
    suspicions.accept("the end of the program");
  }

  private BackendException interrupted() {
    Thread.currentThread().interrupt();
    return new BackendException(ErrorCode.PROGRAM, name + ": interrupted while waiting for it");
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }

  /** Tells the program to remove every trace, and ends it. */
  @Override
  public synchronized void cleanup() {
    String what = "the cleanup request";
    if (options.mode() == Mode.CALL) {
      // For KPNG's programs, nothing is left when there are no services.
      call(options.format() == Format.KPNG ? Stream.empty() : ChangeLines.cleanup(), 0, what);
      return;
    }
    ProgramRun running = running();
    program = null;
    try {
      running.send(ChangeLines.cleanup(), 0, true);
      Optional<Answer> answer = Optional.empty();
      if (options.answers()) {
        answer = running.awaitAnswer(options.timeout());
      } else {
        running.awaitEnd(options.timeout());
      }
      checkForm(answer, 0, what);
      checkSuccess(answer, what);
      if (answer.isEmpty()) {
        endedWell(running, what);
      }
    } catch (InterruptedException e) {
      throw interrupted();
    } finally {
      running.end(options.grace());
    }
  }

  /** Ends the program: closes its input, then SIGTERM, then SIGKILL. What it did stays. */
  @Override
  public void close() {
    closed.countDown();
    ProgramRun running = program;
    program = null;
    if (running != null) {
      running.end(options.grace());
    }
  }
}

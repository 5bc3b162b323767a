package dev.portolan.cli.command;

import dev.portolan.client.LinkListener;
import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.text.Counted;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Waiting;
import dev.portolan.wiring.NodeEvents;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a running node prints for its operator: one line per event, on standard error. */
public final class RunLog implements NodeEvents {
  private static final int NAMES = 2;

  private final Remarks remarks;
  private volatile @Nullable Waiting first;

  /** Says it in {@code remarks}. */
  public RunLog(Remarks remarks) {
    this.remarks = remarks;
  }

  /** A line about the run itself. */
  void say(String line) {
    remarks.say(line);
  }

  /** A line about what is run; the steps up to the first state are shown while the user waits. */
  void begin(String line) {
    say(line);
    first = Waiting.busy(() -> "programming the first state", remarks);
  }

  private void end() {
    if (first != null) {
      first.close();
      first = null;
    }
  }

  /** Tells how the connection to a brain fares. */
  LinkListener ofBrain() {
    return new LinkListener() {
      @Override
      public void connected() {
        say("connected to the brain");
      }

      @Override
      public void lost(String sentence) {
        say("lost the brain: " + sentence + "; keeping the last state and retrying");
      }
    };
  }

  @Override
  public void applied(NodeChange change, Duration took) {
    end();
    say("revision " + change.after().revision() + ": " + changes(change) + ", in " + time(took));
    if (remarks.isVerbose(NAMES)) {
      change.set().forEach(service -> say("  set " + service.name()));
      change.removed().forEach(service -> say("  removed " + service.name()));
    }
  }

  @Override
  public void fellShort(NamespacedName service, String what) {
    warned("Service " + service + ": " + what);
  }

  @Override
  public void failed(BackendException failure, Duration took, Duration pause) {
    end();
    say("failed: " + failure.getMessage() + "; retrying in " + time(pause));
    trace(failure);
  }

  @Override
  public void notTakenOver(BackendException failure, Duration pause) {
    say(
        "what an earlier run wrote is not removed: "
            + failure.getMessage()
            + "; retrying in "
            + time(pause));
    trace(failure);
  }

  @Override
  public void repaired(int objects, String cause) {
    say("repaired " + Counted.of(objects, "object") + " after " + cause);
  }

  @Override
  public void contested(int repairs, String cause, Duration pause) {
    warned(
        "another program keeps changing the rules back: repaired "
            + repairs
            + " times in a row, last after "
            + cause
            + "; end one of the two. The next repair is in "
            + time(pause));
  }

  @Override
  public void uncontested() {
    say("no other program changes the rules any more");
  }

  @Override
  public void rulesMissing(String why) {
    warned("rules are missing and cannot be put back: " + why);
  }

  @Override
  public void rulesInPlace() {
    say("no rules are missing any more");
  }

  @Override
  public void notRepaired(BackendException failure) {
    say("could not repair the rules: " + failure.getMessage());
    trace(failure);
  }

  /** The stack trace of a failure, for debugging. */
  private void trace(BackendException failure) {
    if (System.getenv("PORTOLAN_DEBUG") != null) {
      StringWriter text = new StringWriter();
      failure.printStackTrace(new PrintWriter(text));
      text.toString().lines().forEach(this::say);
    }
  }

  @Override
  public void flowsEnded(Cleaning cleaning) {
    if (cleaning.deleted() > 0) {
      say("ended " + Counted.of(cleaning.deleted(), "flow") + " to endpoints that are gone");
    }
    if (cleaning.socketsEnded() > 0) {
      say("ended " + Counted.of(cleaning.socketsEnded(), "socket") + " to endpoints that are gone");
    }
    cleaning.firstFailure().ifPresent(this::say);
  }

  @Override
  public void flowsNotEnded(BackendException failure) {
    say(failure.getMessage() + "; stale flows end after the next sync");
  }

  @Override
  public void warned(String warning) {
    remarks.warn(warning);
  }

  private static String changes(NodeChange change) {
    int set = change.set().size();
    int removed = change.removed().size();
    List<String> parts = new ArrayList<>();
    if (change.before().isSynced() && change.isFull()) {
      parts.add("all services compared");
    }
    if (change.before().isSynced() && change.factsChanged()) {
      parts.add("node changed");
    }
    if (set > 0 || (removed == 0 && parts.isEmpty())) {
      parts.add(Counted.of(set, "service") + " set");
    }
    if (removed > 0) {
      parts.add((set == 0 ? Counted.of(removed, "service") : removed) + " removed");
    }
    return String.join(", ", parts);
  }

  private static String time(Duration time) {
    double millis = time.toNanos() / 1e6;
    return millis < 1000
        ? String.format(Locale.ROOT, "%.1f ms", millis)
        : String.format(Locale.ROOT, "%.1f s", millis / 1000);
  }
}

package dev.portolan.cli;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.proxy.NodeEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The log of a running node: one line per event, on standard error. */
public class RunLog implements NodeEvents {
  private final Terminal terminal;
  private final Remarks remarks;

  /** Writes to {@code terminal}. */
  public RunLog(Terminal terminal) {
    this.terminal = terminal;
    this.remarks = new Remarks(terminal);
  }

  /** A line about the run itself. */
  void say(String line) {
    terminal.remark(Text.printable(line));
  }

  @Override
  public void applied(NodeImage before, NodeImage after, NodeDelta delta, Duration took) {
    say("revision " + after.revision() + ": " + changes(before, delta) + ", in " + time(took));
  }

  @Override
  public void failed(BackendException failure, Duration pause) {
    say("failed: " + failure.getMessage() + "; retrying in " + time(pause));
  }

  @Override
  public void repaired(int objects, String cause) {
    say("repaired " + count(objects, "object") + " after " + cause);
  }

  @Override
  public void notRepaired(BackendException failure) {
    say("could not repair the rules: " + failure.getMessage());
  }

  @Override
  public void cleaned(Cleaning cleaning) {
    if (cleaning.deleted() > 0) {
      say("ended " + count(cleaning.deleted(), "flow") + " to endpoints that are gone");
    }
    cleaning.firstFailure().ifPresent(failure -> say("conntrack: " + failure.getMessage()));
  }

  @Override
  public void notCleaned(NetlinkException failure) {
    say("conntrack: " + failure.getMessage() + "; stale flows end after the next sync");
  }

  @Override
  public void warned(String warning) {
    remarks.warn(warning);
  }

  private static String changes(NodeImage before, NodeDelta delta) {
    List<String> parts = new ArrayList<>();
    if (before.isSynced() && delta.facts().isPresent()) {
      parts.add("node changed");
    }
    if (!delta.set().isEmpty() || (delta.removed().isEmpty() && parts.isEmpty())) {
      parts.add(count(delta.set().size(), "service") + " set");
    }
    if (!delta.removed().isEmpty()) {
      int removed = delta.removed().size();
      parts.add((parts.isEmpty() ? count(removed, "service") : removed) + " removed");
    }
    return String.join(", ", parts);
  }

  private static String count(int number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }

  private static String time(Duration time) {
    double millis = time.toNanos() / 1e6;
    return millis < 1000
        ? String.format(Locale.ROOT, "%.1f ms", millis)
        : String.format(Locale.ROOT, "%.1f s", millis / 1000);
  }
}

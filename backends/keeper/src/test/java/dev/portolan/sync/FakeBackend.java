package dev.portolan.sync;

import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.ServicePort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A backend that notes when it was called, and fails when the test wants it. */
final class FakeBackend implements Backend {
  private final FakeClock clock;
  private final Consumer<String> notes;
  final List<NodeImage> images = new ArrayList<>();
  boolean blank;
  int failures;
  int auditFailures;
  int missing;
  int damage;
  int surplus;
  long works;
  Runnable during = () -> {};
  Runnable duringAudit = () -> {};
  Runnable duringTidy = () -> {};
  Runnable duringWatch = () -> {};
  Runnable duringShortfall = () -> {};
  Upkeep upkeep = Upkeep.NONE;
  Consumer<String> suspicions = cause -> {};

  FakeBackend(FakeClock clock, Consumer<String> notes) {
    this.clock = clock;
    this.notes = notes;
  }

  private void note(String what) {
    notes.accept(clock.millis() + " " + what);
  }

  @Override
  public void sync(NodeChange change) {
    note("sync " + words(change));
    images.add(change.after());
    clock.pass(works);
    during.run();
    if (failures > 0) {
      failures--;
      throw new BackendException("out of order");
    }
  }

  /** A change in a few words. */
  static String words(NodeChange change) {
    return change.before().revision()
        + "-"
        + change.after().revision()
        + (change.isFull() ? " full" : "");
  }

  @Override
  public boolean isBlank() {
    return blank;
  }

  @Override
  public void cleanup() {
    note("cleanup");
  }

  @Override
  public void tidy() {
    note("tidy");
    duringTidy.run();
  }

  @Override
  public Audit audit(NodeImage applied) {
    note("audit " + applied.revision());
    duringAudit.run();
    if (auditFailures > 0) {
      auditFailures--;
      throw new BackendException("no access").leaving(missing);
    }
    Audit audit = new Audit(damage + surplus, damage, "");
    damage = 0;
    surplus = 0;
    return audit;
  }

  @Override
  public Optional<String> shortfall(ServicePort port) {
    duringShortfall.run();
    return Optional.of("no can do");
  }

  @Override
  public Upkeep upkeep() {
    return upkeep;
  }

  @Override
  public Watch watch(Consumer<String> told) {
    duringWatch.run();
    suspicions = told;
    note("watch");
    return () -> note("unwatch");
  }

  @Override
  public void close() {
    note("close");
  }

  /** Upkeep at these times. */
  void upkeep(long auditEvery, long tidyAfter) {
    upkeep = new Upkeep(Duration.ofMillis(auditEvery), Duration.ofMillis(tidyAfter));
  }
}

package dev.portolan.demo;

import dev.portolan.core.error.Threads;
import dev.portolan.core.fate.Explanation;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A pod is removed under traffic: no connection fails. */
final class DepartureAct implements Act {
  private static final int ENOUGH = 100;
  private static final int CLIENTS = 2;
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final String GONE = "pod-b1";
  private static final String LINE =
      "  - {addresses: [10.244.2.11], nodeName: worker-2, targetRef:"
          + " {kind: Pod, namespace: shop, name: pod-b1}}\n";

  /** A connection, with the revisions that the kernel had when it began and when it ended. */
  private record Visit(Reply reply, Duration took, long began, long ended) {}

  @Override
  public void play(DemoStage stage, Page page) throws InterruptedException {
    page.heading("A pod goes away");
    page.text(
        "While pod-a3 keeps connecting, "
            + GONE
            + "'s endpoint is removed from endpointslices.yaml.");
    page.gap();
    Explanation before = stage.explain(SpreadAct.WEB);
    ConcurrentLinkedQueue<Visit> visits = new ConcurrentLinkedQueue<>();
    List<Thread> clients = new ArrayList<>();
    Diary.Sync sync;
    try {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Threads.platform("demo client").start(() -> keepAsking(stage, visits)));
      }
      await(() -> visits.size() >= ENOUGH);
      sync = stage.edit("endpointslices.yaml", LINE, "");
      await(
          () -> visits.stream().filter(visit -> visit.began >= sync.revision()).count() >= ENOUGH);
    } finally {
      stop(clients);
    }
    Explanation after = stage.explain(SpreadAct.WEB);
    List<TriedConnection> earlier = new ArrayList<>();
    List<TriedConnection> later = new ArrayList<>();
    for (Visit visit : visits) {
      boolean isLater = visit.began >= sync.revision();
      TriedConnection connection =
          new TriedConnection(
              SpreadAct.WEB,
              visit.reply,
              visit.took,
              isLater ? List.of(after) : possible(visit, sync, before, after));
      stage.remember(connection);
      (isLater ? later : earlier).add(connection);
    }
    tell(page, sync, Tally.of(earlier), Tally.of(later).with(Set.of(GONE)), visits.size());
  }

  /** What may be true of a connection that started before the change was reported. */
  private static List<Explanation> possible(
      Visit visit, Diary.Sync sync, Explanation before, Explanation after) {
    return visit.ended >= sync.revision() ? List.of(before, after) : List.of(before);
  }

  private static void tell(Page page, Diary.Sync sync, Tally before, Tally after, int all) {
    page.text("before the change");
    page.lines(before.bars());
    page.text("after it");
    page.lines(after.bars());
    page.gap();
    int failed = before.unanswered() + after.unanswered();
    page.check(
        failed == 0,
        (failed == 0 ? "none" : failed)
            + " of "
            + all
            + " connections failed, before, during or after the change");
    page.check(
        after.count(GONE) == 0 && after.pods().equals(Set.of("pod-a1", "pod-a2")),
        GONE
            + " got no connection after the change was in the kernel, which took "
            + Page.time(sync.took()));
  }

  private static void keepAsking(DemoStage stage, ConcurrentLinkedQueue<Visit> visits) {
    try {
      long end = System.nanoTime() + LONGEST.toNanos();
      while (!Thread.currentThread().isInterrupted() && System.nanoTime() < end) {
        long began = stage.diary().last().revision();
        long start = System.nanoTime();
        Reply reply = stage.ask(SpreadAct.WEB, Probe.PATIENT);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        visits.add(new Visit(reply, took, began, stage.diary().last().revision()));
        TimeUnit.MILLISECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      // The last connection was cut short by the end of the act, and does not count.
    }
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.holds() && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static void stop(List<Thread> threads) {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

package dev.portolan.demo;

import dev.portolan.lab.Actor;
import java.util.List;
import java.util.Set;

/** Many connections to one cluster IP: every pod behind it gets some. */
final class SpreadAct implements Act {
  /** Where pods find the shop's pages. */
  static final Question WEB = Question.of(Actor.POD_A3, "10.96.0.10");

  private static final int TIMES = 60;

  @Override
  public void play(DemoStage stage, Page page) throws InterruptedException {
    page.heading("One address, three pods");
    page.text(
        "pod-a3 opens "
            + TIMES
            + " connections to "
            + WEB.where()
            + ", the cluster IP of shop/web.");
    page.gap();
    List<TriedConnection> made = stage.connect(WEB, TIMES);
    Tally tally = Tally.of(made);
    page.lines(tally.bars());
    page.gap();
    page.check(
        tally.unanswered() == 0 && tally.pods().equals(Set.of("pod-a1", "pod-a2", "pod-b1")),
        "all " + TIMES + " were answered, by all three pods and by no other");
  }
}

package dev.portolan.demo;

import dev.portolan.lab.Actor;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;

/** Services without endpoints: one rejects, the other drops. */
final class RefusalAct implements Act {
  /** A service without an endpoint on this node. */
  static final Question SUPPORT = Question.of(Actor.OUTSIDE, "203.0.113.20");

  private static final Question PAYMENTS = Question.of(Actor.POD_A3, "10.96.0.30");
  private static final Question SUPPORT_FROM_INSIDE = Question.of(Actor.POD_A3, "203.0.113.20");

  @Override
  public void play(DemoStage stage, Page page) throws InterruptedException {
    page.heading("No endpoint");
    page.text(
        "shop/payments has no pod. shop/support has one, but on the other node, and the policy"
            + " Local.");
    page.gap();
    TriedConnection refused = stage.connect(PAYMENTS, Probe.PATIENT);
    page.check(
        refused.reply() instanceof Reply.Rejected,
        "pod-a3 to payments "
            + PAYMENTS.where()
            + ": "
            + (refused.reply() instanceof Reply.Rejected
                ? "connection refused"
                : refused.reply().toString())
            + ", after "
            + Page.time(refused.took()));
    TriedConnection dropped = stage.connect(SUPPORT, Probe.SHORT);
    page.check(
        dropped.reply() instanceof Reply.Dropped,
        "customer to support "
            + SUPPORT.where()
            + ": "
            + (dropped.reply() instanceof Reply.Dropped
                ? "no answer; given up"
                : dropped.reply().toString())
            + " after "
            + Page.time(dropped.took()));
    TriedConnection inside = stage.connect(SUPPORT_FROM_INSIDE, Probe.PATIENT);
    page.check(
        inside.pod().orElse("").equals("pod-b3"),
        "pod-a3 to the same address: "
            + inside.pod().map(pod -> pod + " answers").orElse(inside.reply().toString())
            + ", because pods may use endpoints on any node");
  }
}

package dev.portolan.demo;

import dev.portolan.core.net.Ip;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Reply;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The same address under both external traffic policies: which pods answer, and which client they
 * see.
 */
final class PolicyAct implements Act {
  private static final Question STOREFRONT = Question.of(Actor.OUTSIDE, "203.0.113.10");
  private static final int TIMES = 20;
  private static final String LOCAL = "clusterIPs: [10.96.0.20]\n  externalTrafficPolicy: Local\n";
  private static final String CLUSTER =
      "clusterIPs: [10.96.0.20]\n  externalTrafficPolicy: Cluster\n";

  @Override
  public void play(DemoStage stage, Page page) throws InterruptedException {
    page.heading("Local or Cluster");
    page.text(
        "The customer opens "
            + TIMES
            + " connections to "
            + STOREFRONT.where()
            + ", the load balancer's address of shop/storefront, through worker-1.");
    page.gap();
    List<TriedConnection> local = stage.connect(STOREFRONT, TIMES);
    tell(page, "externalTrafficPolicy: Local", local);
    Diary.Sync sync = stage.edit("services.yaml", LOCAL, CLUSTER);
    page.gap();
    List<TriedConnection> cluster = stage.connect(STOREFRONT, TIMES);
    tell(
        page,
        "externalTrafficPolicy: Cluster (edited; the kernel took it in "
            + Page.time(sync.took())
            + ")",
        cluster);
    page.gap();
    page.check(
        Tally.of(local).unanswered() == 0
            && Tally.of(local).pods().equals(Set.of("pod-a2"))
            && sources(local).equals(Set.of(STOREFRONT.source())),
        "Local: only worker-1's own pod answers, and it sees the customer's address");
    page.check(
        Tally.of(cluster).unanswered() == 0
            && Tally.of(cluster).pods().equals(Set.of("pod-a2", "pod-b2"))
            && sources(cluster).stream().allMatch(Actor::isOfNode),
        "Cluster: both pods answer, and they see an address of worker-1");
  }

  private static void tell(Page page, String policy, List<TriedConnection> made) {
    page.text(policy);
    for (String pod : Tally.of(made).pods()) {
      List<TriedConnection> its =
          made.stream().filter(connection -> connection.pod().orElse("").equals(pod)).toList();
      page.text(
          pod
              + " answered "
              + its.size()
              + " times and saw "
              + String.join(", ", sources(its).stream().map(Ip::toString).toList()));
    }
  }

  private static Set<Ip> sources(List<TriedConnection> made) {
    Set<Ip> sources = new TreeSet<>();
    for (TriedConnection connection : made) {
      if (connection.reply() instanceof Reply.Answered answered) {
        sources.add(answered.source().address());
      }
    }
    return sources;
  }
}

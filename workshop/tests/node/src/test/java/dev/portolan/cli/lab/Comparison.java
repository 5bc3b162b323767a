package dev.portolan.cli.lab;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import dev.portolan.packets.LabJudge;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Sends packets along one route in two labs until both have seen the same, or enough to say that
 * they never will.
 */
final class Comparison {
  private static final int MOST_TRIES = 120;
  private static final int FEWEST_TRIES = 10;
  private static final int PLAIN_TRIES = 2;

  private final Route route;
  private final Lab theirs;
  private final Lab ours;
  private final SortedSet<String> seenThere = new TreeSet<>();
  private final SortedSet<String> seenHere = new TreeSet<>();

  private Comparison(Route route, Lab theirs, Lab ours) {
    this.route = route;
    this.theirs = theirs;
    this.ours = ours;
  }

  /**
   * What was seen of a route: endpoints, each masqueraded or not, or what else became of packets.
   */
  record Seen(Route route, SortedSet<String> theirs, SortedSet<String> ours) {
    boolean isSame() {
      return theirs.equals(ours);
    }

    @Override
    public String toString() {
      return route + ": kube-proxy " + theirs + ", portolan " + ours;
    }
  }

  static Seen of(Route route, Lab theirs, Lab ours) {
    Comparison comparison = new Comparison(route, theirs, ours);
    for (int tries = 1; tries <= comparison.mostTries(); tries++) {
      comparison.ask();
      if (tries >= comparison.fewestTries() && comparison.isSame()) {
        break;
      }
    }
    return new Seen(route, comparison.seenThere, comparison.seenHere);
  }

  private boolean isSame() {
    return seenThere.equals(seenHere);
  }

  /** What is forwarded takes many packets until all endpoints were seen. */
  private int mostTries() {
    return isForwarded() ? MOST_TRIES : PLAIN_TRIES;
  }

  /** Nor does a small sample show that there is no other endpoint. */
  private int fewestTries() {
    return isForwarded() ? FEWEST_TRIES : 1;
  }

  private boolean isForwarded() {
    return Stream.concat(seenThere.stream(), seenHere.stream())
        .allMatch(outcome -> outcome.endsWith("masqueraded"));
  }

  /** One packet in each lab. Where only one of them is silent, it may just be slow. */
  private void ask() {
    Duration patience = patience();
    Reply there = LabJudge.askUntilClear(() -> route.ask(theirs, patience));
    Reply here = LabJudge.askUntilClear(() -> route.ask(ours, patience));
    if (there instanceof Reply.Dropped != here instanceof Reply.Dropped) {
      there = there instanceof Reply.Dropped ? route.ask(theirs, Probe.PATIENT) : there;
      here = here instanceof Reply.Dropped ? route.ask(ours, Probe.PATIENT) : here;
    }
    seenThere.add(LabJudge.outcome(there).toString());
    seenHere.add(LabJudge.outcome(here).toString());
  }

  /** Over IPv6 a client of TCP believes a refusal only when its second packet is refused too. */
  private Duration patience() {
    boolean late = route.protocol() == Protocol.TCP && route.address().family() == IpFamily.IPV6;
    return late ? Probe.SHORT.plusSeconds(1) : Probe.SHORT;
  }
}

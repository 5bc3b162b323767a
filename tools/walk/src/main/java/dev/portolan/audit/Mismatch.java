package dev.portolan.audit;

import dev.portolan.core.fate.Fate.Share;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One way in which what rules do with a packet is not its fate. */
public sealed interface Mismatch {
  /** It is not clear what the rules do. */
  record Unclear(String remark) implements Mismatch {}

  /** The rules end it otherwise. */
  record OtherVerdict(Verdict wanted, Verdict found) implements Mismatch {}

  /** The rules never send it to an endpoint that it may go to. */
  record Missing(EndpointKey endpoint) implements Mismatch {}

  /** The rules masquerade it, or do not, on its way to an endpoint. */
  record OtherSource(EndpointKey endpoint, boolean masqueraded) implements Mismatch {}

  /** The rules send an endpoint more or fewer of such packets. */
  record OtherShare(EndpointKey endpoint, double wanted, double found) implements Mismatch {}

  /** The rules send it to what is not an endpoint for it. */
  record Surplus(EndpointKey endpoint) implements Mismatch {}

  /** The rules send a client that comes back to the same endpoint again, or do not. */
  record OtherMemory(EndpointKey endpoint, boolean remembered) implements Mismatch {}

  /**
   * Compares a fate with what rules do.
   *
   * @param kept whether a client that comes back is to go to the endpoint that it had
   * @param tolerance how far shares may be off
   */
  static List<Mismatch> between(
      Verdict verdict, List<Share> shares, boolean kept, WalkResult found, double tolerance) {
    List<Mismatch> all = new ArrayList<>();
    if (!found.remark().isEmpty()) {
      all.add(new Unclear(found.remark()));
    }
    if (verdict != found.verdict()) {
      all.add(new OtherVerdict(verdict, found.verdict()));
      return all;
    }
    Map<EndpointKey, List<Way>> ways = EndpointKey.ways(found);
    Set<EndpointKey> wanted = HashSet.newHashSet(shares.size());
    for (Share share : shares) {
      EndpointKey key = EndpointKey.of(share.endpoint());
      wanted.add(key);
      List<Way> some = ways.getOrDefault(key, List.of());
      if (some.isEmpty()) {
        all.add(new Missing(key));
        continue;
      }
      for (Way way : some) {
        if (way.masquerade() != share.masquerade()) {
          all.add(new OtherSource(key, way.masquerade()));
        }
      }
      double sum = some.stream().mapToDouble(Way::share).sum();
      if (Math.abs(sum - share.share()) > tolerance) {
        all.add(new OtherShare(key, share.share(), sum));
      }
    }
    for (Way way : found.ways()) {
      EndpointKey key = EndpointKey.of(way);
      if (!wanted.contains(key)) {
        all.add(new Surplus(key));
      }
      if (way.remembered() != kept) {
        all.add(new OtherMemory(key, way.remembered()));
      }
    }
    return all;
  }
}

package dev.portolan.packets;

import dev.portolan.core.fate.Explanation;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.Verdict;
import dev.portolan.explain.Client;
import dev.portolan.explain.Explainer;
import dev.portolan.explain.Target;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Asks the brain's {@link Explainer}; needs neither root nor a kernel. */
public final class ExplainerJudge implements Judge {
  private final Dataplane dataplane;

  /** Judges by what is decided. */
  public ExplainerJudge() {
    this(Dataplane.EXACT);
  }

  /** Judges by what {@code dataplane} does with what is decided. */
  public ExplainerJudge(Dataplane dataplane) {
    this.dataplane = dataplane;
  }

  @Override
  public Sitting open(PacketTable table) {
    Explainer explainer = new Explainer(table.decision(), dataplane);
    return packet ->
        outcome(
            explainer
                .explain(
                    new Target.OfAddress(
                        packet.address(), packet.port(), Optional.of(packet.protocol())),
                    Optional.of(new Client.At(packet.source())))
                .getFirst());
  }

  private static Outcome outcome(Explanation explanation) {
    if (explanation.verdict() != Verdict.FORWARD) {
      return Outcome.ended(explanation.verdict());
    }
    Map<String, Boolean> endpoints = new TreeMap<>();
    for (Explanation.Share share : explanation.endpoints()) {
      endpoints.put(
          Endpoints.name(share.endpoint().address(), share.endpoint().port()), share.masquerade());
    }
    return Outcome.forwarded(endpoints, explanation.isKept());
  }
}

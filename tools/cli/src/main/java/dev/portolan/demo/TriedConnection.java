package dev.portolan.demo;

import dev.portolan.core.fate.Explanation;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A connection that was really made, and what {@code explain} said of it.
 *
 * @param said one explanation, or two where the cluster changed while the connection was made
 */
record TriedConnection(Question question, Reply reply, Duration took, List<Explanation> said) {
  TriedConnection {
    said = List.copyOf(said);
  }

  /** The pod that answered. */
  Optional<String> pod() {
    return reply instanceof Reply.Answered answered
        ? Optional.of(answered.name())
        : Optional.empty();
  }

  /** Whether {@code explain} said what the packets did. */
  boolean isAsExplained() {
    return said.stream().anyMatch(this::fits);
  }

  private boolean fits(Explanation explanation) {
    return switch (reply) {
      case Reply.Answered answered ->
          explanation.verdict() == Verdict.FORWARD
              && explanation.endpoints().stream().anyMatch(share -> fits(share, answered));
      case Reply.Rejected() -> explanation.verdict() == Verdict.REJECT;
      case Reply.Dropped() -> explanation.verdict() == Verdict.DROP;
      case Reply.Broken _ -> false;
    };
  }

  private static boolean fits(Explanation.Share share, Reply.Answered answered) {
    return Actor.at(share.endpoint().address())
            .filter(actor -> actor.toString().equals(answered.name()))
            .isPresent()
        && share.endpoint().port() == answered.port()
        && share.masquerade() != answered.isSourceKept();
  }
}

package dev.portolan.brain.explain;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Reason;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a new connection, and why.
 *
 * @param subject where the connection goes: {@code address:port/PROTOCOL}, or what was asked for
 * @param client the client that opens it
 * @param service the service port that answers, if any
 * @param endpoints where it may go; empty unless it is forwarded
 * @param masquerade whether the endpoint sees the node's address in place of the client's, wherever
 *     it goes
 * @param leftOut endpoints of the service that it cannot go to
 * @param steps what led there, in order
 */
public record Explanation(
    String subject,
    String client,
    Optional<ServicePortName> service,
    Verdict verdict,
    List<Share> endpoints,
    boolean masquerade,
    List<LeftOut> leftOut,
    List<Step> steps) {
  /**
   * An endpoint with its share of new connections.
   *
   * @param masquerade whether a connection to this one is masqueraded
   */
  public record Share(
      Endpoint endpoint, double share, boolean masquerade, Reason reason, String target) {}

  /** An endpoint that gets nothing, with the field that decided it. */
  public record LeftOut(String address, Reason reason, Step source) {}

  /** One thought, with the object and the field that it rests on where there is one. */
  public record Step(String text, Optional<ObjectRef> object, String field) {
    /** A thought that rests on a field. */
    static Step of(String text, ObjectRef object, String field) {
      return new Step(text, Optional.of(object), field);
    }

    /** A thought that rests on a setting or on no object. */
    static Step of(String text) {
      return new Step(text, Optional.empty(), "");
    }
  }

  public Explanation {
    endpoints = List.copyOf(endpoints);
    leftOut = List.copyOf(leftOut);
    steps = List.copyOf(steps);
  }

  /** That nothing of ours matches. */
  static Explanation none(String subject, String client, List<Step> steps) {
    return new Explanation(
        subject, client, Optional.empty(), Verdict.NONE, List.of(), false, List.of(), steps);
  }
}

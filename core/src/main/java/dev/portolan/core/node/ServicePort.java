package dev.portolan.core.node;

import dev.portolan.core.cluster.TrafficPolicy;
import java.util.List;

/** One port of a service in one family, as this node is to treat it. */
public record ServicePort(Frontend frontend, Selection selection) {
  /** The port's name. */
  public ServicePortName name() {
    return frontend.name();
  }

  /** What becomes of {@code traffic}. */
  public Verdict verdict(Traffic traffic) {
    return switch (traffic) {
      case INTERNAL -> selection.internal();
      case EXTERNAL -> selection.external();
      case SHORT_CIRCUIT -> selection.shortCircuit();
    };
  }

  /** The endpoints that {@code traffic} is spread over; empty unless it is forwarded. */
  public List<Endpoint> endpoints(Traffic traffic) {
    return switch (traffic) {
      case INTERNAL -> under(frontend.internalPolicy());
      case EXTERNAL ->
          frontend.isExternallyAccessible() ? under(frontend.externalPolicy()) : List.of();
      case SHORT_CIRCUIT ->
          frontend.isExternallyAccessible() ? under(TrafficPolicy.CLUSTER) : List.of();
    };
  }

  private List<Endpoint> under(TrafficPolicy policy) {
    return policy == TrafficPolicy.LOCAL ? selection.local() : selection.cluster();
  }
}

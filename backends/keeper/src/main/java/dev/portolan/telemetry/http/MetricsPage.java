package dev.portolan.telemetry.http;

import dev.portolan.telemetry.metrics.ExpositionFormat;
import dev.portolan.telemetry.metrics.MetricRegistry;

/** The page of metrics, in the format that a client asks for. */
public final class MetricsPage {
  private MetricsPage() {}

  /** The answer with the metrics of {@code registry}. */
  public static Response of(Request request, MetricRegistry registry) {
    ExpositionFormat format = ExpositionFormat.accepted(request.header("accept"));
    return Response.of(200, format.contentType(), registry.text(format)).with("Vary: Accept");
  }
}

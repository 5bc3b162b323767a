/**
 * What the daemon counts and measures, and the text that Prometheus reads.
 *
 * <p>{@code MetricRegistry} knows nothing of a proxy; {@code ProxyMetrics}, {@code BackendMetrics}
 * and {@code ProcessMetrics} give the names that kube-proxy has, and some of our own.
 */
@NullMarked
package dev.portolan.proxy.metrics;

import org.jspecify.annotations.NullMarked;

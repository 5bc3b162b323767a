/**
 * Counters, gauges and histograms, the text that Prometheus reads, and what every process measures
 * of itself.
 *
 * <p>Our own rather than Prometheus' client library (1.9, 372 KB of jars): with 30 metrics, 100
 * scrapes leave 2.2 MB more of resident memory with it (44.7 against 42.5 MB) and take three times
 * the CPU time. It also writes the bounds of buckets as {@code le="1.0"}, where kube-proxy has
 * {@code le="1"}, so that queries written for kube-proxy would miss them.
 */
@NullMarked
package dev.portolan.telemetry.metrics;

import org.jspecify.annotations.NullMarked;

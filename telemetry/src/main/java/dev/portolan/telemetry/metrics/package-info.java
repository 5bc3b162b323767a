/**
 * Counters, gauges and histograms, the text that Prometheus reads, and what every process measures
 * of itself.
 */
@NullMarked
package dev.portolan.telemetry.metrics;

import org.jspecify.annotations.NullMarked;

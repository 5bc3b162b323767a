/**
 * A small HTTP server: ports that open as soon as they can, and pages that can be read. Health,
 * metrics and the chart are served by it.
 *
 * <p>Our own rather than the JDK's {@code jdk.httpserver}, which cannot bind to all IPv4 addresses
 * alone, as health checks need, nor drop the oldest of too many connections. Its first port takes
 * 2.3 MB more of resident memory (44.0 against 41.6 MB, after 100 requests 46.0 against 42.5) and
 * each further one two threads, where ours takes none: all ports share one that accepts, since
 * there may be a port for each service.
 */
@NullMarked
package dev.portolan.telemetry.http;

import org.jspecify.annotations.NullMarked;

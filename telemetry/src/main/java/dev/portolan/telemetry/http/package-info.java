/**
 * A small HTTP server: ports that open as soon as they can, and pages that can be read.
 *
 * <p>It is one of our own: a port costs a socket and a parked virtual thread, where the JDK's costs
 * two threads, and there may be a port for each service.
 */
@NullMarked
package dev.portolan.telemetry.http;

import org.jspecify.annotations.NullMarked;

/**
 * What the daemon answers over HTTP: its health, the health of services for load balancers, and the
 * pages for operators.
 *
 * <p>The server is a small one of our own: a port costs a socket and a parked virtual thread, where
 * the JDK's costs two threads, and there may be a port for each service.
 */
@NullMarked
package dev.portolan.proxy.http;

import org.jspecify.annotations.NullMarked;

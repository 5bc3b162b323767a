/**
 * Serves what a brain decides over gRPC: to each client the state of its node, then every change.
 *
 * <p>It knows a brain and the wire, and nothing of sources, clients or backends. Which callers are
 * allowed is decided in the package {@code access}; items are encoded in {@code encoding}.
 * Exceptions are unchecked.
 */
@NullMarked
package dev.portolan.server;

import org.jspecify.annotations.NullMarked;

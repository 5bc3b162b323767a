/**
 * Serves what a brain decides over gRPC: to each client the state of its node, then every change.
 *
 * <p>It knows a brain and the wire, and nothing of sources, clients or backends. Which callers are
 * allowed is decided in the package {@code access}; items are encoded in {@code encoding}.
 * Exceptions are unchecked.
 *
 * <pre>
 *   Transport        listeners: unix sockets, TCP with TLS; Gatekeeper looks at each connection
 *   Calls            the methods of the API; each call has a virtual thread of its own
 *   Conversation     one call: reads, waits and writes in blocking style, with flow control
 *   NodeStream  ClusterStream  LongPoll  ExplainCall  WaitCall      what each method does
 *   Views, Feed      one view per node, however many clients watch it; the newest states of each
 *   NodeChanges, ClusterChanges, Encodings             difference to items, each encoded once
 * </pre>
 */
@NullMarked
package dev.portolan.server;

import org.jspecify.annotations.NullMarked;

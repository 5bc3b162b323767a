/**
 * The library to write a backend with.
 *
 * <p>{@link dev.portolan.client.Portolan} is a whole program; below it, {@link
 * dev.portolan.client.StateClient} waits for states and {@link dev.portolan.client.RemoteNode}
 * follows a node, also for a {@link dev.portolan.sync.Keeper}. {@link
 * dev.portolan.client.ListenerBackend} and {@link dev.portolan.client.AddressBackend} turn states
 * into events, in this process too. {@link dev.portolan.client.RelaySource} feeds a brain from
 * another one.
 *
 * <p>It knows what is decided and how that is sent, and neither the brain nor a server.
 *
 * <pre>
 *   Portolan         a whole program: flags, connection, signals, a keeper that runs the backend
 *   RemoteNode       the newest state of a node, as an image with a revision
 *   NodeAssembly     items put together, until a Sync makes them a whole state
 *   WatchLoop        asks, reads a set of changes, asks again; after a failure starts over
 *   WatchStream      one stream of items, with flow control
 *   Connection       a channel to a server; opened on first use and again after a failure
 * </pre>
 *
 * <p>Part of the API for authors of backends: docs/writing-a-backend.md lists its public types.
 */
@NullMarked
package dev.portolan.client;

import org.jspecify.annotations.NullMarked;

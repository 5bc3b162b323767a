/**
 * The gRPC API: which methods there are ({@link dev.portolan.api.Methods}), and the way between
 * their messages and the model.
 *
 * <p>The local stream carries the state of one node. {@link dev.portolan.api.EncodedService} and
 * {@link dev.portolan.api.EncodedEndpoint} hold its items, encoded once for all clients; {@link
 * dev.portolan.api.NodeMessages} reads them back. The global stream carries the cluster: {@link
 * dev.portolan.api.ClusterItems} there, {@link dev.portolan.api.ClusterMessages} back. {@link
 * dev.portolan.api.NextItems} is for the long poll, {@link dev.portolan.api.ExplanationMessages}
 * for why it was decided so.
 *
 * <p>Every service goes out in two forms in one message: in KPNG's fields, as well as these can say
 * it, and in Portolan's own, from which the model comes back exactly. Classes whose names start
 * with Kpng know the first form, and read it where a server sends no other. Nothing that is read is
 * trusted: what does not fit the model is refused with a {@link dev.portolan.api.WireException}.
 *
 * <p>Server and client share this package; neither a brain nor a backend knows it.
 */
@NullMarked
package dev.portolan.api;

import org.jspecify.annotations.NullMarked;

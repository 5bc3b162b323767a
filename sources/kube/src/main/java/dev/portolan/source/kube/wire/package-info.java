/**
 * Turns the bytes of an API server's answers into objects, from protobuf or from JSON.
 *
 * <p>A {@link Resource} names a type of objects and its decoders; a {@link WireFormat} reads lists,
 * events and errors from an {@link InputBuffer}. When to ask, and what to do about a failure, is
 * the work of the package above, on which nothing here depends.
 */
@NullMarked
package dev.portolan.source.kube.wire;

import org.jspecify.annotations.NullMarked;

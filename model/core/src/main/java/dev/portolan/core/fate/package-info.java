/**
 * What becomes of a connection on a node, as a value.
 *
 * <p>A {@link dev.portolan.core.fate.Fate} follows from a node's image and a {@link
 * dev.portolan.core.node.Dataplane} alone. Explanations say it in words and add why endpoints were
 * chosen; an audit compares it with what rules do.
 */
@NullMarked
package dev.portolan.core.fate;

import org.jspecify.annotations.NullMarked;

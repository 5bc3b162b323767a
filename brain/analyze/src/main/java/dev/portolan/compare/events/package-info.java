/**
 * Clusters after something that has not happened: a node drained, a zone lost, a service scaled.
 * And what that would mean for connections.
 */
@NullMarked
package dev.portolan.compare.events;

import org.jspecify.annotations.NullMarked;

/**
 * What differs between two states of a cluster: fields of objects, decisions on all nodes, and what
 * an event would do.
 *
 * <p>Values in, values out: nothing here reads, prints or applies anything.
 */
@NullMarked
package dev.portolan.compare;

import org.jspecify.annotations.NullMarked;

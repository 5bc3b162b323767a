/**
 * The node daemon: what is done once for every backend.
 *
 * <p>It wires sources, brain and backends together; none of them knows it.
 */
@NullMarked
package dev.portolan.daemon;

import org.jspecify.annotations.NullMarked;

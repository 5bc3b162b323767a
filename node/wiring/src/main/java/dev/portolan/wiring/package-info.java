/**
 * The parts put together to processes that run for long: a node, which reads, decides and programs
 * a kernel; and a brain, which reads, decides and serves what is decided for every node.
 *
 * <p>Nothing here reads a command line or a configuration, or knows a terminal: it gets values, and
 * hands out lines of text.
 */
@NullMarked
package dev.portolan.wiring;

import org.jspecify.annotations.NullMarked;

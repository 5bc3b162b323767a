/**
 * The brain as a process: it reads a cluster, serves what is decided for every node, and shows how
 * far the nodes have come.
 *
 * <p>Nothing here reads a command line or knows a terminal: it gets values, and says lines.
 */
@NullMarked
package dev.portolan.daemon.brain;

import org.jspecify.annotations.NullMarked;

/**
 * The brain: from the cluster as it is to what each node should do.
 *
 * <p>All of kube-proxy's service logic lives here and nowhere else. It knows no backend, does no
 * I/O, and has no clock of its own.
 */
@NullMarked
package dev.portolan.brain;

import org.jspecify.annotations.NullMarked;

/**
 * Rules as a kernel has them, regardless of who wrote them, and the way of a packet through them.
 *
 * <p>Knows kernels and packets; nothing of Kubernetes, and nothing of what was decided.
 */
@NullMarked
package dev.portolan.walk;

import org.jspecify.annotations.NullMarked;

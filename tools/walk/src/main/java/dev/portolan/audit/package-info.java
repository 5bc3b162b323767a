/**
 * Whether the kernel has what was decided: what is stale, missing or foreign.
 *
 * <p>Compares and repairs nothing.
 */
@NullMarked
package dev.portolan.audit;

import org.jspecify.annotations.NullMarked;

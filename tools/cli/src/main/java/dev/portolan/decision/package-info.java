/**
 * Where a command gets decided values: decided in this process, or by a brain over the API; once,
 * or at every change.
 *
 * <p>Nothing here knows how the values are printed.
 */
@NullMarked
package dev.portolan.decision;

import org.jspecify.annotations.NullMarked;

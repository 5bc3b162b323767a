/**
 * {@code portolan trace}: one connection through the rules of a kernel, beside what explain says.
 */
@NullMarked
package dev.portolan.inspection.trace;

import org.jspecify.annotations.NullMarked;

/**
 * {@code portolan trace}: one connection through the rules of a kernel, beside what explain says.
 */
@NullMarked
package dev.portolan.timemachine.trace;

import org.jspecify.annotations.NullMarked;

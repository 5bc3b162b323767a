/** {@code portolan diff}: what two states decide differently, and what it prints. */
@NullMarked
package dev.portolan.timemachine.diff;

import org.jspecify.annotations.NullMarked;

/** {@code portolan whatif}: what an event would do, and what it prints. */
@NullMarked
package dev.portolan.timemachine.whatif;

import org.jspecify.annotations.NullMarked;

/** Making a recording, and saying what is in one. */
@NullMarked
package dev.portolan.timemachine.record;

import org.jspecify.annotations.NullMarked;

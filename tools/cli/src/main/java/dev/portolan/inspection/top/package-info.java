/** The command {@code top}: services by their traffic, as a daemon or a kernel has counted it. */
@NullMarked
package dev.portolan.inspection.top;

import org.jspecify.annotations.NullMarked;

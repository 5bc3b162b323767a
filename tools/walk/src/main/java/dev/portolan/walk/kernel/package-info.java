/** Finds the rules for services that a kernel has, whichever program and mode they are of. */
@NullMarked
package dev.portolan.walk.kernel;

import org.jspecify.annotations.NullMarked;

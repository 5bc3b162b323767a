/**
 * Portolan as a plugin of kubectl: {@code kubectl portolan explain -n shop web}. A question about a
 * node is put to the daemon there, through kubectl, and decided again here where that cannot be.
 */
@NullMarked
package dev.portolan.commandline.kubectl;

import org.jspecify.annotations.NullMarked;

/**
 * Portolan as a plugin of kubectl: {@code kubectl portolan explain -n shop web}. A question about a
 * node is put to the daemon there, through kubectl; if that is not possible, it is decided again
 * here.
 */
@NullMarked
package dev.portolan.commandline.kubectl;

import org.jspecify.annotations.NullMarked;

/** Objects with all their fields, for the few commands that need more than a proxy reads. */
@NullMarked
package dev.portolan.options.whole;

import org.jspecify.annotations.NullMarked;

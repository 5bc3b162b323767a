/** Text that several rooms write in the same way. */
@NullMarked
package dev.portolan.core.text;

import org.jspecify.annotations.NullMarked;

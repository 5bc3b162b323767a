/** What becomes of a connection. */
@NullMarked
package dev.portolan.core.fate;

import org.jspecify.annotations.NullMarked;

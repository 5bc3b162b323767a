/** Sessions: what users of the commands see, as text files. */
@NullMarked
package dev.portolan.sessions;

import org.jspecify.annotations.NullMarked;

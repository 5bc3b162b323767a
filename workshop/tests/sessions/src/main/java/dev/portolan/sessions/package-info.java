/** The command line as a test runs it, in its own process. */
@NullMarked
package dev.portolan.sessions;

import org.jspecify.annotations.NullMarked;

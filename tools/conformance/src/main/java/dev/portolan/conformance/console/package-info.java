/** The kit on a command line: which exercises are run, and what is said of them. */
@NullMarked
package dev.portolan.conformance.console;

import org.jspecify.annotations.NullMarked;

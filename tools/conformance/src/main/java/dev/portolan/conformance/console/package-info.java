/** The kit on a command line: which exercises are run, and what is printed about them. */
@NullMarked
package dev.portolan.conformance.console;

import org.jspecify.annotations.NullMarked;

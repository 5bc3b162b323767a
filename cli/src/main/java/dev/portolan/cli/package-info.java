/** The command line. It knows every other module, and no other module knows it. */
@NullMarked
package dev.portolan.cli;

import org.jspecify.annotations.NullMarked;

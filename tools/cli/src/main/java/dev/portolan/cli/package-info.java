/**
 * The command line. It knows every other module, and no other module knows it.
 *
 * <p>Here is only where the process starts; commands live in the packages below.
 */
@NullMarked
package dev.portolan.cli;

import org.jspecify.annotations.NullMarked;

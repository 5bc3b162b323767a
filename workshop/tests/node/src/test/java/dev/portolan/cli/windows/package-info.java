/** The program on Windows: real processes of a Java for Windows, under Wine. */
@NullMarked
package dev.portolan.cli.windows;

import org.jspecify.annotations.NullMarked;

/** Differences of texts, line by line. */
@NullMarked
package dev.portolan.compare.lines;

import org.jspecify.annotations.NullMarked;

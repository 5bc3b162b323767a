/**
 * A recording of a cluster and of what was done with it: the file format, writing and reading it.
 *
 * <p>A recording is a source like any other. Nothing here decides or judges an object.
 */
@NullMarked
package dev.portolan.source.record;

import org.jspecify.annotations.NullMarked;

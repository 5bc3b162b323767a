/**
 * A backend that is a program of any language: it gets each change as lines of JSON on its standard
 * input, and says on its standard output when it has applied them.
 *
 * <p>docs/exec.md describes the lines.
 */
@NullMarked
package dev.portolan.backend.exec;

import org.jspecify.annotations.NullMarked;

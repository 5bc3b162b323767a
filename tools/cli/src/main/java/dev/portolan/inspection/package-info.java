/** The commands that look for what is wrong, in objects and in a kernel: analyze, audit, trace. */
@NullMarked
package dev.portolan.inspection;

import org.jspecify.annotations.NullMarked;

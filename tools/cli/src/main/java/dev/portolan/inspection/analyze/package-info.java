/** The command that looks for known mistakes: what it reads, and how findings are printed. */
@NullMarked
package dev.portolan.inspection.analyze;

import org.jspecify.annotations.NullMarked;

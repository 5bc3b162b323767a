/** The codes by which scripts and alerts tell failures apart. */
@NullMarked
package dev.portolan.core.error;

import org.jspecify.annotations.NullMarked;

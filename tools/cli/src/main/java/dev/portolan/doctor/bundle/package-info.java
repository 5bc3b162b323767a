/** The archive for a support case: what it holds, and what is kept out of it. */
@NullMarked
package dev.portolan.doctor.bundle;

import org.jspecify.annotations.NullMarked;

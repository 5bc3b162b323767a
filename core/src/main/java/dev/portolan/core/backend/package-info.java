/**
 * The seam: what a backend is, in this process or in any other.
 *
 * <p>Backends implement it; the brain does not know it.
 */
@NullMarked
package dev.portolan.core.backend;

import org.jspecify.annotations.NullMarked;

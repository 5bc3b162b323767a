/**
 * The seam: what a backend is, in this process or in any other.
 *
 * <p>Backends implement it; the brain does not know it.
 *
 * <p>Part of the API for authors of backends: docs/writing-a-backend.md lists its public types.
 */
@NullMarked
package dev.portolan.core.backend;

import org.jspecify.annotations.NullMarked;

/**
 * The codes by which scripts and alerts tell failures apart.
 *
 * <p>Part of the API for authors of backends: docs/writing-a-backend.md lists its public types.
 */
@NullMarked
package dev.portolan.core.error;

import org.jspecify.annotations.NullMarked;

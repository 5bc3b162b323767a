/**
 * The codes by which scripts and alerts distinguish failures, and the place where unexpected ones
 * are reported, those of threads included, so that no thread ends unnoticed.
 *
 * <p>Part of the API for authors of backends: docs/writing-a-backend.md lists its public types.
 */
@NullMarked
package dev.portolan.core.error;

import org.jspecify.annotations.NullMarked;

/**
 * The codes by which scripts and alerts tell failures apart, and where unexpected ones are
 * reported: those of threads, too, so that none ends in silence.
 *
 * <p>Part of the API for authors of backends: docs/writing-a-backend.md lists its public types.
 */
@NullMarked
package dev.portolan.core.error;

import org.jspecify.annotations.NullMarked;

/**
 * What runs a backend: {@link dev.portolan.sync.Keeper}. The same for every backend, whether the
 * brain is in this process or behind a connection.
 *
 * <p>A feed comes in, calls to one backend and to observers go out. How a backend does its work,
 * and where the feed comes from, is not known here.
 *
 * <p>Part of the API for authors of backends: docs/writing-a-backend.md lists its public types.
 */
@NullMarked
package dev.portolan.sync;

import org.jspecify.annotations.NullMarked;

/**
 * When a backend is called: one sync after another, paced, retried, never queued.
 *
 * <p>The same for every backend, whether the brain is in this process or behind a connection.
 */
@NullMarked
package dev.portolan.sync;

import org.jspecify.annotations.NullMarked;

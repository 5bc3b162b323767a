/**
 * Values of the network: addresses, prefixes, families, protocols.
 *
 * <p>All modules may use them; they know nothing of Kubernetes or a kernel.
 *
 * <p>Part of the API for authors of backends: docs/writing-a-backend.md lists its public types.
 */
@NullMarked
package dev.portolan.core.net;

import org.jspecify.annotations.NullMarked;

/**
 * Values of the network: addresses, prefixes, families, protocols.
 *
 * <p>Everybody may use them; they know nothing of Kubernetes and nothing of a kernel.
 */
@NullMarked
package dev.portolan.core.net;

import org.jspecify.annotations.NullMarked;

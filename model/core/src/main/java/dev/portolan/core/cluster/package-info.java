/**
 * The cluster as a source read it: services, endpoint slices, nodes and ServiceCIDRs, with nothing
 * decided yet.
 *
 * <p>Sources fill it, the brain reads it. Addresses are still the text of the objects; the brain
 * alone says which of them are good.
 *
 * <p>{@code NamespacedName} and {@code ServiceType} are part of the API for authors of backends
 * (docs/writing-a-backend.md); the rest is internal.
 */
@NullMarked
package dev.portolan.core.cluster;

import org.jspecify.annotations.NullMarked;

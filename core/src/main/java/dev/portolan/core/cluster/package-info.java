/**
 * The cluster as a source read it: services, endpoint slices, nodes and ServiceCIDRs, with nothing
 * decided yet.
 *
 * <p>Sources fill it, the brain reads it. Addresses are still the text that somebody wrote; the
 * brain alone says which of them are good.
 */
@NullMarked
package dev.portolan.core.cluster;

import org.jspecify.annotations.NullMarked;

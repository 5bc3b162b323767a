/**
 * Feature gates: their stages in each release of Kubernetes ({@code gates.table}), and which are
 * on.
 *
 * <p>A gate knows nothing of fields and flags. Who sets gates, in a file or by a flag, asks {@link
 * dev.portolan.config.gates.FeatureGates} whether it may.
 */
@NullMarked
package dev.portolan.config.gates;

import org.jspecify.annotations.NullMarked;

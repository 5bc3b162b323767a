/**
 * Feature gates: their stages in each release of Kubernetes ({@code gates.table}), and which are
 * on.
 *
 * <p>A gate knows nothing of fields and flags. Code that sets gates, from a file or a flag, asks
 * {@link dev.portolan.config.gates.FeatureGates} whether it may.
 */
@NullMarked
package dev.portolan.config.gates;

import org.jspecify.annotations.NullMarked;

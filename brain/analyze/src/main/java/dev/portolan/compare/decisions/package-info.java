/**
 * What two states of a cluster decide differently: for each service port, on which nodes, for which
 * kind of traffic. Start with {@link dev.portolan.compare.decisions.ClusterComparison}.
 */
@NullMarked
package dev.portolan.compare.decisions;

import org.jspecify.annotations.NullMarked;

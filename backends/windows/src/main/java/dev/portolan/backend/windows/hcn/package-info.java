/**
 * The Host Network Service of Windows (HNS), through version 2 of its API, Host Compute Network
 * (HCN): networks, endpoints and load balancers as values, and the calls.
 *
 * <p>Nothing here knows services. {@link dev.portolan.backend.windows.hcn.ComputeNetwork} is the
 * only class that sees native memory.
 */
@NullMarked
package dev.portolan.backend.windows.hcn;

import org.jspecify.annotations.NullMarked;

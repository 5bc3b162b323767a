/**
 * The ipvs backend: a node's decisions as virtual servers of IPVS, the addresses of services on a
 * device of their own, and the settings of the kernel that both need.
 *
 * <p>It knows a kernel and no Kubernetes. What there is to decide was decided by the brain.
 */
@NullMarked
package dev.portolan.backend.ipvs;

import org.jspecify.annotations.NullMarked;

/**
 * The iptables backend: a node's decisions as rules of iptables, in the shape that kube-proxy gives
 * them, written with the programs of the host.
 *
 * <p>It knows a kernel and no Kubernetes. What there is to decide was decided by the brain. {@link
 * dev.portolan.backend.iptables.Chains} and {@link dev.portolan.backend.iptables.RuleText} are for
 * every backend that writes such rules.
 */
@NullMarked
package dev.portolan.backend.iptables;

import org.jspecify.annotations.NullMarked;

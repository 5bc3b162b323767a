/**
 * Rules of iptables, as iptables-save prints them, and the way of a packet through them.
 *
 * <p>Reads rules of any program; only {@link dev.portolan.walk.iptables.ServedRules} knows
 * kube-proxy's chains.
 */
@NullMarked
package dev.portolan.walk.iptables;

import org.jspecify.annotations.NullMarked;

/**
 * The nftables backend: a node's decisions as rules of nf_tables, written straight over netlink.
 *
 * <p>It knows a kernel and no Kubernetes. What there is to decide was decided by the brain.
 */
@NullMarked
package dev.portolan.backend.nftables;

import org.jspecify.annotations.NullMarked;

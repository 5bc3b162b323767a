/**
 * What changes for a cluster that leaves ipvs or iptables for nftables, and its new configuration.
 *
 * <p>{@link dev.portolan.migration.Migration} is worked out from the configuration and the brain of
 * a cluster. Nothing here reads a file of the user's or prints.
 */
@NullMarked
package dev.portolan.migration;

import org.jspecify.annotations.NullMarked;

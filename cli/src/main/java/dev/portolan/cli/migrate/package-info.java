/**
 * What changes for a cluster that leaves ipvs or iptables for nftables, and its new configuration.
 *
 * <p>{@link dev.portolan.cli.migrate.Migration} is worked out from the configuration and the brain
 * of a cluster. Nothing here reads a file of the user's or prints.
 */
@NullMarked
package dev.portolan.cli.migrate;

import org.jspecify.annotations.NullMarked;

/**
 * What changes for a cluster that moves to nftables or iptables, and its new configuration.
 *
 * <p>{@link dev.portolan.migration.Migration} is worked out from the configuration and the brain of
 * a cluster. {@link dev.portolan.migration.MigrationReport} is what a person or a program reads of
 * it. Nothing here reads a file of the user's or prints.
 */
@NullMarked
package dev.portolan.migration;

import org.jspecify.annotations.NullMarked;

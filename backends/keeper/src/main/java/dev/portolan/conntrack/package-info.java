/**
 * The flows that the kernel still tracks to endpoints that a service no longer has: which they are,
 * and their removal after a sync. Any backend that leaves connections to conntrack can use it.
 *
 * <p>{@link dev.portolan.conntrack.StaleFlows} decides and needs no kernel; {@link
 * dev.portolan.conntrack.FlowCleaner} reads and deletes.
 */
@NullMarked
package dev.portolan.conntrack;

import org.jspecify.annotations.NullMarked;

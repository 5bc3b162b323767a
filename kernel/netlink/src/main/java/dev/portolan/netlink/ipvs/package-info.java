/**
 * IPVS over generic netlink: virtual services with their settings and counters, the real servers
 * behind them, and the timeouts of connections; read, and changed by many requests at a time.
 */
@NullMarked
package dev.portolan.netlink.ipvs;

import org.jspecify.annotations.NullMarked;

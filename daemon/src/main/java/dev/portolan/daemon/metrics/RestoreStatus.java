package dev.portolan.daemon.metrics;

import dev.portolan.core.net.IpFamily;
import java.util.function.ToLongFunction;

/**
 * What iptables-restore came to in one family.
 *
 * @param failures how many runs failed
 * @param partialFailures how many of them had only what had changed
 * @param rules how many rules of ours a table holds
 * @param written how many rules the last run wrote to a table
 */
public record RestoreStatus(
    IpFamily family,
    long failures,
    long partialFailures,
    ToLongFunction<String> rules,
    ToLongFunction<String> written) {}

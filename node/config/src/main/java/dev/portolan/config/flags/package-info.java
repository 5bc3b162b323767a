/**
 * kube-proxy's flags ({@code flags.table}): parsed, explained, and turned into settings, alone or
 * on top of a file.
 *
 * <p>{@code Start} is the only user. Flags of {@code portolan}'s other commands do not belong here.
 */
@NullMarked
package dev.portolan.config.flags;

import org.jspecify.annotations.NullMarked;

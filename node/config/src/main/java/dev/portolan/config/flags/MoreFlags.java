package dev.portolan.config.flags;

import java.util.List;

/**
 * Flags that are described elsewhere than in {@code flags.table}: those of modes. What has them is
 * found by a {@link java.util.ServiceLoader}, so that a configuration can be read without a kernel.
 */
public interface MoreFlags {
  /** The flags, in the order of the help text. */
  List<Flag> flags();
}

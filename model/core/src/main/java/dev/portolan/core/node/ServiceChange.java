package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import org.jspecify.annotations.Nullable;

/**
 * One service before and after a change.
 *
 * @param before null where the service is new
 * @param after null where the service is gone
 */
public record ServiceChange(
    NamespacedName name, @Nullable NodeService before, @Nullable NodeService after) {
  /** Whether the service was not there before. */
  public boolean isAddition() {
    return before == null;
  }

  /** Whether the service is gone. */
  public boolean isRemoval() {
    return after == null;
  }
}

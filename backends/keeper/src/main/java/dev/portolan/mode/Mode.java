package dev.portolan.mode;

import java.util.List;

/** A way to program a kernel, as one object. Anyone may write one. */
public interface Mode {
  /** The name of its backend, as users write it. */
  String name();

  /** The settings that are its own; modes that share one have the same object. */
  default List<Setting<?>> settings() {
    return List.of();
  }

  /**
   * The fields of kube-proxy's configuration that are for this mode alone and that commands take as
   * options, by their paths in its latest version; what flags say of them is said of the options.
   */
  default List<String> fields() {
    return List.of();
  }
}

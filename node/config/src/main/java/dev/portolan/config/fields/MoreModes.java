package dev.portolan.config.fields;

import java.util.List;

/**
 * Modes of Linux that kube-proxy does not have. What has them is found by a {@link
 * java.util.ServiceLoader}, so that a configuration can be read without a kernel.
 */
public interface MoreModes {
  /** The modes, in the order in which they are named. */
  List<ProxyMode> modes();
}

package dev.portolan.config.fields;

import java.util.List;

/** The modes that Portolan has besides, which tests of configurations name. */
public final class SampleModes implements MoreModes {
  @Override
  public List<ProxyMode> modes() {
    return List.of(ProxyMode.of("ebpf", "nftables"), ProxyMode.of("userspace", "nftables"));
  }
}

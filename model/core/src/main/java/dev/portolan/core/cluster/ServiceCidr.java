package dev.portolan.core.cluster;

import dev.portolan.core.text.Tree;
import java.util.List;

/** A ServiceCIDR: ranges from which cluster IPs are allocated, as written. */
public record ServiceCidr(String name, @Tree.Named("spec.cidrs") List<String> cidrs) {
  public ServiceCidr {
    cidrs = List.copyOf(cidrs);
  }

  /** Refers to this object. */
  public ObjectRef ref() {
    return ObjectRef.serviceCidr(name);
  }
}

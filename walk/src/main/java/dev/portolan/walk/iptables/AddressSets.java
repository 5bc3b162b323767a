package dev.portolan.walk.iptables;

import java.util.Map;

/** The sets of ipset, by name. */
public record AddressSets(Map<String, AddressSet> sets) {
  /** None. */
  public static final AddressSets NONE = new AddressSets(Map.of());

  public AddressSets {
    sets = Map.copyOf(sets);
  }
}

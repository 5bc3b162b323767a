package dev.portolan.modes;

import dev.portolan.takeover.TakeoverOptions.Scope;
import java.util.List;

/** A mode that has the tables of mode nftables, whole, and something of its own beside them. */
sealed interface BesideNftables extends KernelMode permits EbpfMode, UserspaceMode {
  /** The mode of the tables. */
  NftablesMode nftables();

  @Override
  default List<String> modules() {
    return nftables().modules();
  }

  @Override
  default boolean servesNodePortsEverywhere() {
    return nftables().servesNodePortsEverywhere();
  }

  /** What is beside the tables goes with them. */
  @Override
  default Scope cleanup() {
    return nftables().cleanup();
  }

  @Override
  default String extension() {
    return nftables().extension();
  }
}

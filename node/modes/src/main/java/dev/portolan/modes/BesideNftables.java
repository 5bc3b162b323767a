package dev.portolan.modes;

import dev.portolan.mode.Setting;
import dev.portolan.takeover.TakeoverOptions.Scope;
import java.util.List;
import java.util.stream.Stream;

/** A mode that has the tables of mode nftables, whole, and something of its own beside them. */
interface BesideNftables extends KernelMode {
  /** The mode of the tables. */
  NftablesMode nftables();

  /** What is beside the tables, and not theirs. */
  List<Setting<?>> ownSettings();

  @Override
  default List<Setting<?>> settings() {
    return Stream.concat(nftables().settings().stream(), ownSettings().stream()).toList();
  }

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

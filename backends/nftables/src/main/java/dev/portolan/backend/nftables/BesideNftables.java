package dev.portolan.backend.nftables;

import dev.portolan.mode.Mode;
import dev.portolan.mode.Scope;
import dev.portolan.mode.Setting;
import java.util.List;
import java.util.stream.Stream;

/** A mode that has the tables of mode nftables, whole, and something of its own beside them. */
public interface BesideNftables extends Mode {
  /** The mode of the tables. */
  NftablesMode nftables();

  /** What is beside the tables, and not theirs. */
  List<Setting<?>> ownSettings();

  @Override
  default List<Setting<?>> settings() {
    return Stream.concat(nftables().settings().stream(), ownSettings().stream()).toList();
  }

  @Override
  default List<Mode> includes() {
    return List.of(nftables());
  }

  @Override
  default String section() {
    return nftables().section();
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
  default String keepsAffinity() {
    return nftables().keepsAffinity();
  }

  @Override
  default String isSeenIn() {
    return nftables().isSeenIn();
  }

  @Override
  default String extension() {
    return nftables().extension();
  }
}

package dev.portolan.audit;

import dev.portolan.backend.ebpf.EbpfMode;
import dev.portolan.backend.ebpf.EbpfOptions;
import dev.portolan.bpf.BpfPlace;
import dev.portolan.brain.NodeSettings;
import dev.portolan.lab.Lab;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.packets.PacketTable;
import dev.portolan.testkit.Tampering;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.kernel.EbpfRuleset;
import dev.portolan.walk.nft.NftRuleset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A node of the lab whose sockets are translated, in a cgroup and a bpffs of its own. */
final class AuditedSockets implements TamperedNode {
  private final Path pins;
  private final EbpfOptions options;
  private final AuditedNode node;

  AuditedSockets(Lab lab, BpfPlace place, NodeSettings settings) {
    this.pins = place.folder().resolve("portolan");
    this.options = EbpfOptions.DEFAULT.of(place.cgroup()).pinnedTo(pins);
    this.node =
        new AuditedNode(
            lab,
            "ebpf",
            ModeConfiguration.byDefault()
                .with(EbpfMode.CGROUP, place.cgroup())
                .with(EbpfMode.PINS, pins),
            this::read,
            settings,
            PacketTable.cluster());
  }

  /** The rules alone where no program is attached any more. */
  private Ruleset read(Optional<Path> namespace) {
    NftRuleset rules = NftRuleset.read(namespace);
    NodeNetwork network = NodeNetwork.read(namespace);
    return EbpfRuleset.read(
            options.in(namespace),
            rules,
            packet -> packet.isFromNode() || network.isPodHere(packet.source()))
        .map(Ruleset.class::cast)
        .orElse(rules);
  }

  @Override
  public AuditResult audit() {
    return node.audit();
  }

  /** Steps for {@code map} and {@code unpin} are done here, the others by a shell. */
  @Override
  public void tamper(Tampering tampering) {
    for (Tampering.Step step : tampering.steps()) {
      switch (step.tool()) {
        case "map" -> new PinnedServices(pins).change(step.command());
        case "unpin" -> unpin(step.command());
        default -> node.tamper(tampering.only(step));
      }
    }
  }

  private void unpin(String name) {
    try {
      Files.delete(pins.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void restore() {
    node.restore();
  }

  @Override
  public void close() {
    node.close();
  }
}

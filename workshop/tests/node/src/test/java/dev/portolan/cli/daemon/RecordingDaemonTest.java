package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeView;
import dev.portolan.config.DecisionSettings;
import dev.portolan.config.RecordedSettings;
import dev.portolan.core.node.NodeChange;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon with {@code --record}. */
@NeedsPeers
final class RecordingDaemonTest extends DaemonOnNode {
  @TempDir private Path folder;
  @TempDir private Path lists;

  @Test
  void whatItRecordsGivesTheRulesThatItWrote() throws Exception {
    RandomServices services = new RandomServices(11);
    writer.apply(services.create(0, 30));
    Path records = folder.resolve("records");
    List<String> written;
    try (Daemon daemon = host.start("--record=" + records, "--record-size=1Mi")) {
      daemon.awaitSync();
      writer.apply(services.churn(10, 5));
      host.awaitFresh(daemon, FreshRules.of(plane, lists));
      written = FreshRules.lines(host.ruleset());
      assertThat(daemon.stop()).as(daemon::log).isZero();
    }
    List<RecordedEvent> events = new ArrayList<>();
    assertThat(Recording.open(records).read(events::add)).isEmpty();
    RecordedEvent.Started started = (RecordedEvent.Started) events.getFirst();
    assertThat(started.recorder()).isEqualTo("kube-proxy");
    assertThat(started.node()).isEqualTo("node-0");
    assertThat(started.configuration())
        .contains("10.128.0.0/9", "mode: nftables")
        .doesNotContain(plane.proxyToken() + "\n");
    assertThat(events).hasAtLeastOneElementOfType(RecordedEvent.Synced.class);
    assertThat(FreshRules.lines(rulesAtTheEnd(started, Recording.open(records))))
        .isEqualTo(written);
  }

  private static String rulesAtTheEnd(RecordedEvent.Started started, Recording recording) {
    DecisionSettings settings =
        RecordedSettings.read("recorded", started.configuration()).decision();
    Brain brain = new Brain(settings.cluster(), warning -> {});
    try (NodeView view = brain.open(started.node(), settings.node());
        TestNamespace empty = new TestNamespace();
        NftablesBackend backend =
            new NftablesBackend(
                new NftablesOptions(
                    NftablesOptions.DEFAULT.table(),
                    NftablesOptions.DEFAULT.masqueradeBit(),
                    empty.path()))) {
      brain.apply(recording.last().cluster());
      backend.sync(NodeChange.to(view.image()));
      return empty.run("nft", "list", "ruleset");
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsAWarningAndTheDaemonServes() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    try (Daemon daemon = host.start("--record=" + file)) {
      daemon.awaitSync();
      daemon.awaitLog("traffic is not affected", 1);
    }
  }
}

package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.apiserver.ApiServer;
import dev.portolan.apiserver.ClientLimits;
import dev.portolan.apiserver.Kubeconfig;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.brain.Brain;
import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterChange;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Actor;
import dev.portolan.mode.ModeRules;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.packets.Churn;
import dev.portolan.source.kube.KubeSource;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recorder;
import dev.portolan.source.record.Recording;
import dev.portolan.source.record.RecordingFolder;
import dev.portolan.source.record.RecordingFolder.Bounds;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Observer;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.Await;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.SharedControlPlane;
import dev.portolan.wiring.ClusterRecorder;
import dev.portolan.wiring.NodeDaemon;
import dev.portolan.wiring.NodeEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real API server's day in miniature: random changes, restarts, and a gap in the watch that only
 * a new list can fill. What is recorded of it is replayed, and gives the same at every revision.
 */
@AtNight
@NeedsPeers
final class RecordedDayTest {
  private static final int CHANGES = 350;
  private static final NodeSettings SETTINGS = NodeSettings.DEFAULT;

  @TempDir private Path folder;

  private final ModeRules rules =
      KernelModes.named("nftables").orElseThrow().rules(ModeConfiguration.byDefault());
  private final ConcurrentSkipListMap<Long, NodeImage> live = new ConcurrentSkipListMap<>();
  private final Set<String> seen = Collections.synchronizedSet(new HashSet<>());
  private final List<String> problems = Collections.synchronizedList(new ArrayList<>());
  private final Churn churn = new Churn(2026);
  private int markers;

  @Test
  void aReplayGivesTheSameImageAndTheSameRulesAtEveryRevision() throws Exception {
    Path records = folder.resolve("record");
    ControlPlane plane = SharedControlPlane.empty();
    try (Gate gate = new Gate(plane.port())) {
      ApiWriter writer = new ApiWriter(plane);
      ClusterDelta.Builder nodes = ClusterDelta.builder();
      nodes.set(RandomServices.node(Actor.NODE_NAME, 1));
      nodes.set(RandomServices.node(Actor.OTHER_NODE_NAME, 2));
      writer.apply(nodes.build());
      Thread daemon = Thread.ofPlatform().start(() -> follow(plane, gate, records));
      try {
        live(plane, gate, writer);
      } finally {
        daemon.interrupt();
        daemon.join(Duration.ofSeconds(30));
      }
    }
    replay(Recording.open(records));
  }

  /** The day: quiet hours, a crash of the server, and a night without a connection. */
  private void live(ControlPlane plane, Gate gate, ApiWriter writer) throws Exception {
    change(writer, CHANGES);
    marker(writer, "morning");
    plane.startServer();
    change(writer, CHANGES);
    marker(writer, "noon");
    gate.shut();
    change(writer, 40);
    plane.compact();
    plane.startServer();
    gate.reopen();
    marker(writer, "evening");
    change(writer, CHANGES);
    marker(writer, "midnight");
  }

  private void change(ApiWriter writer, int times) {
    for (int i = 0; i < times; i++) {
      writer.apply(churn.next());
    }
  }

  /** Waits until a service is decided, and with it all that was written before. */
  private void marker(ApiWriter writer, String name) throws InterruptedException {
    writer.apply(
        ClusterDelta.builder()
            .set(
                Service.named("default", name)
                    .ports(List.of(new Service.Port("", Protocol.TCP, 80, 0)))
                    .clusterIps(List.of("10.96.8." + ++markers))
                    .ipFamilies(List.of(IpFamily.IPV4))
                    .build())
            .build());
    Await.until(() -> name + ": " + problems, () -> seen.contains(name));
  }

  /** The daemon's own parts, in a namespace of its own, with a recorder. */
  private void follow(ControlPlane plane, Gate gate, Path records) {
    RecordedEvent.Started started =
        new RecordedEvent.Started(Instant.now(), "test", "kube-proxy", Actor.NODE_NAME, "kube", "");
    try (TestNamespace namespace = new TestNamespace();
        ApiServer api = api(plane, gate);
        Recorder recorder =
            new Recorder(
                started,
                () ->
                    RecordingFolder.open(
                        records, new Bounds(64 << 20, Duration.ZERO), InstantSource.system()),
                InstantSource.system(),
                problems::add)) {
      KubeSource source =
          new KubeSource(api, Optional.of(Actor.NODE_NAME), KubeSource.Options.DEFAULT);
      NodeDaemon.Plan plan =
          new NodeDaemon.Plan(
              Actor.NODE_NAME,
              BrainSettings.DEFAULT,
              SETTINGS,
              new NftablesBackend(
                  new NftablesOptions(
                      NftablesOptions.DEFAULT.table(),
                      NftablesOptions.DEFAULT.masqueradeBit(),
                      namespace.path())),
              Keeper.Options.DEFAULT);
      try (NodeDaemon daemon =
          new NodeDaemon(source, plan, new Seen(), new Kept(recorder), new Syncs(recorder))) {
        daemon.run();
      }
    } catch (Exception e) {
      problems.add(e.toString());
    }
  }

  private ApiServer api(ControlPlane plane, Gate gate) throws Exception {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            Files.readString(plane.kubeconfig()).replace(":" + plane.port(), ":" + gate.port()));
    return ApiServer.connect(
        Kubeconfig.read(List.of(kubeconfig), Optional.empty()), new ClientLimits(50, 100, "test"));
  }

  /** Every revision of the live run, in memory. */
  private final class Seen implements NodeEvents {
    @Override
    public void taken(ClusterChange change, NodeImage newest) {
      live.put(newest.revision(), newest);
      change.services().forEach(name -> seen.add(name.name()));
    }

    @Override
    public void warned(String warning) {
      problems.add(warning);
    }
  }

  private record Kept(Recorder recorder) implements ClusterRecorder {
    @Override
    public void taken(ClusterImage cluster, long revision, Map<String, String> versions) {
      recorder.taken(cluster, revision, versions);
    }

    @Override
    public void problem(String sentence) {
      recorder.problem(sentence);
    }
  }

  private record Syncs(Recorder recorder) implements Observer {
    @Override
    public void applied(NodeChange change, Duration took) {
      recorder.synced(change.after().revision(), took, change.isFull(), Optional.empty());
    }
  }

  private void replay(Recording recording) {
    Brain brain = new Brain(BrainSettings.DEFAULT, warning -> {});
    TreeMap<Long, NodeImage> replayed = new TreeMap<>();
    List<Map<String, String>> versions = new ArrayList<>();
    List<RecordedEvent> others = new ArrayList<>();
    try (NodeView view = brain.open(Actor.NODE_NAME, SETTINGS)) {
      String damage =
          recording.read(event -> {
            if (event instanceof RecordedEvent.State state) {
              brain.apply(state.cluster());
              assertThat(view.image().revision()).isEqualTo(state.revision());
              replayed.put(state.revision(), view.image());
              versions.add(state.versions());
            } else {
              others.add(event);
            }
          });
      assertThat(damage).isEmpty();
    }
    assertThat(replayed.keySet()).isEqualTo(live.keySet());
    assertThat(live).hasSizeGreaterThan(CHANGES);
    live.forEach((revision, image) -> {
      NodeImage again = replayed.get(revision);
      assertThat(again.sameAs(image)).as("revision " + revision).isTrue();
      for (IpFamily family : IpFamily.values()) {
        assertThat(rules.text(again, family)).isEqualTo(rules.text(image, family));
      }
    });
    assertThat(versions.getLast())
        .containsOnlyKeys("services", "endpointslices", "nodes", "servicecidrs");
    assertThat(versions).doesNotHaveDuplicates();
    assertThat(others.getFirst()).isInstanceOf(RecordedEvent.Started.class);
    assertThat(others).hasAtLeastOneElementOfType(RecordedEvent.Synced.class);
    assertThat(others).hasAtLeastOneElementOfType(RecordedEvent.Problem.class);
    System.err.printf(
        "recorded %d revisions and %d other events in %d bytes%n",
        live.size(), others.size(), recording.bytes());
  }
}

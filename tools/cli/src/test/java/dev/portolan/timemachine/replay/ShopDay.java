package dev.portolan.timemachine.replay;

import dev.portolan.brain.Brain;
import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.source.file.Manifests;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.RecordingWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A day of the web shop as the daemon on worker-1 saw it: a rollout, readiness that comes and goes,
 * another policy, a service deleted and created again, a sync that failed, a node that was drained,
 * a restart. The recording in {@code examples/recordings} is made from it.
 */
final class ShopDay {
  /** The recording in the tree. */
  static final Path RECORDING = Path.of("../../examples/recordings/shop.rec");

  private static final String NODE = "worker-1";
  private static final Conditions ENDING = new Conditions(false, true, true);

  private final List<RecordedEvent> events = new ArrayList<>();
  private Brain brain = new Brain(BrainSettings.DEFAULT, warning -> {});
  private NodeView view = brain.open(NODE, NodeSettings.DEFAULT);
  private ClusterImage cluster;
  private long version = 48_000;

  private ShopDay() {
    this.cluster = Manifests.read(Path.of("../../examples/shop")).image();
  }

  /** What happened. */
  static List<RecordedEvent> events() {
    ShopDay day = new ShopDay();
    day.play();
    return day.events;
  }

  /** Writes the recording again. */
  static void write(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    List<RecordedEvent> events = events();
    int restart = events.lastIndexOf(started(events));
    try (RecordingWriter writer = RecordingWriter.create(file)) {
      events.subList(0, restart).forEach(writer::write);
    }
    try (RecordingWriter writer = RecordingWriter.append(file)) {
      events.subList(restart, events.size()).forEach(writer::write);
    }
  }

  /** The last process that began. */
  private static RecordedEvent started(List<RecordedEvent> events) {
    return events.reversed().stream()
        .filter(RecordedEvent.Started.class::isInstance)
        .findFirst()
        .orElseThrow();
  }

  private void play() {
    start("07:00:00.000");
    state("07:00:00.310", false);
    synced("07:00:00.352", 38, true);
    rollout();
    flap();
    policy();
    service();
    kernel();
    drain();
    restart();
  }

  private void rollout() {
    String slice = "web-h7v5p";
    Member old = member(slice, "10.244.1.51");
    Member fresh =
        new Member(
            List.of("10.244.1.52"),
            new Conditions(false, false, false),
            old.node(),
            old.zone(),
            List.of(),
            List.of(),
            "Pod shop/web-7c9f4-x2l8d");
    change("09:12:04.118", add(slice, fresh));
    change("09:12:11.020", edit(slice, "10.244.1.52", Conditions.READY));
    synced("09:12:11.026", 4, false);
    change("09:12:11.940", edit(slice, "10.244.1.51", ENDING));
    synced("09:12:11.947", 5, false);
    change("09:12:42.003", remove(slice, "10.244.1.51"));
    synced("09:12:42.006", 2, false);
  }

  private void flap() {
    String slice = "cart-x4t8n";
    change("11:40:02.500", edit(slice, "10.244.2.21", new Conditions(false, false, false)));
    synced("11:40:02.507", 5, false);
    change("11:40:10.498", edit(slice, "10.244.2.21", Conditions.READY));
    synced("11:40:10.503", 4, false);
  }

  private void policy() {
    Service storefront = service("storefront");
    change(
        "12:05:31.000",
        ClusterDelta.builder()
            .set(copy(storefront, TrafficPolicy.CLUSTER, 0, storefront.ports()))
            .build());
    synced("12:05:31.012", 9, false);
  }

  private void service() {
    Service admin = service("admin");
    EndpointSlice slice = slice("admin-b6w9s");
    change("13:30:00.101", ClusterDelta.builder().removeService(admin.name()).build());
    synced("13:30:00.109", 6, false);
    change("13:30:00.164", ClusterDelta.builder().removeSlice(slice.name()).build());
    Service.Port port = admin.ports().getFirst();
    Service again =
        copy(
            admin,
            TrafficPolicy.CLUSTER,
            0,
            List.of(new Service.Port(port.name(), port.protocol(), port.port(), 30180, 8080)));
    change("13:42:17.700", ClusterDelta.builder().set(again).build());
    synced("13:42:17.707", 6, false);
    change("13:42:17.761", ClusterDelta.builder().set(slice).build());
    synced("13:42:17.768", 5, false);
  }

  private void kernel() {
    change("15:00:20.000", edit("web-h7v5p", "10.244.3.51", Conditions.READY));
    events.add(
        new RecordedEvent.Synced(
            time("15:00:20.009"),
            view.image().revision(),
            Duration.ofMillis(7),
            false,
            Optional.of("adding elements to table ip portolan: EBUSY (device or resource busy)")));
    synced("15:00:21.015", 12, true);
    events.add(
        new RecordedEvent.Repaired(
            time("15:31:44.870"), 3, "process 'nft' (pid 30112) deleted them"));
    events.add(
        new RecordedEvent.Problem(
            time("16:10:00.250"),
            "https://192.168.10.10:6443: connection refused; retrying, the last state stays in"
                + " effect"));
  }

  private void drain() {
    Map<String, String> pods =
        Map.of(
            "agent-q7m4c", "10.244.2.9", "web-h7v5p", "10.244.2.51", "cart-x4t8n", "10.244.2.21");
    List<String> slices = pods.keySet().stream().sorted().toList();
    ClusterDelta.Builder ending = ClusterDelta.builder();
    ClusterDelta.Builder gone = ClusterDelta.builder();
    for (String slice : slices) {
      String address = pods.get(slice);
      ending.set(edited(slice, address, member -> member.with(ENDING)));
      gone.set(
          slice(slice)
              .with(
                  slice(slice).members().stream()
                      .filter(member -> !member.addresses().contains(address))
                      .toList()));
    }
    change("16:30:02.000", ending.build());
    synced("16:30:02.011", 8, false);
    change("16:30:34.400", gone.build());
    synced("16:30:34.409", 7, false);
    change(
        "16:31:00.000",
        ClusterDelta.builder()
            .set(Objects.requireNonNull(cluster.nodes().get("worker-2")).asLeaving())
            .build());
    change("16:33:12.600", ClusterDelta.builder().removeNode("worker-2").build());
  }

  private void restart() {
    brain = new Brain(BrainSettings.DEFAULT, warning -> {});
    view = brain.open(NODE, NodeSettings.DEFAULT);
    start("17:00:00.000");
    state("17:00:00.284", false);
    synced("17:00:00.331", 41, true);
  }

  private void start(String time) {
    events.add(
        new RecordedEvent.Started(
            time(time), "1.0.0", "kube-proxy", NODE, "https://192.168.10.10:6443", ""));
  }

  private void change(String time, ClusterDelta edit) {
    cluster = edit.applyTo(cluster);
    state(time, true);
  }

  private void state(String time, boolean changed) {
    brain.apply(cluster);
    version += 17;
    events.add(
        new RecordedEvent.State(
            time(time),
            view.image().revision(),
            changed,
            cluster,
            Map.of("services", String.valueOf(version))));
  }

  private void synced(String time, int millis, boolean full) {
    events.add(
        new RecordedEvent.Synced(
            time(time),
            view.image().revision(),
            Duration.ofMillis(millis),
            full,
            Optional.empty()));
  }

  private ClusterDelta edit(String slice, String address, Conditions conditions) {
    return ClusterDelta.builder()
        .set(edited(slice, address, member -> member.with(conditions)))
        .build();
  }

  private ClusterDelta add(String slice, Member member) {
    List<Member> members = new ArrayList<>(slice(slice).members());
    members.add(member);
    return ClusterDelta.builder().set(slice(slice).with(members)).build();
  }

  private ClusterDelta remove(String slice, String address) {
    List<Member> members = new ArrayList<>(slice(slice).members());
    members.remove(member(slice, address));
    return ClusterDelta.builder().set(slice(slice).with(members)).build();
  }

  private EndpointSlice edited(String slice, String address, UnaryOperator<Member> edit) {
    return slice(slice)
        .with(
            slice(slice).members().stream()
                .map(member -> member.addresses().contains(address) ? edit.apply(member) : member)
                .toList());
  }

  private Member member(String slice, String address) {
    return slice(slice).members().stream()
        .filter(member -> member.addresses().contains(address))
        .findFirst()
        .orElseThrow();
  }

  private EndpointSlice slice(String name) {
    NamespacedName key = new NamespacedName(name.startsWith("agent") ? "monitoring" : "shop", name);
    return Objects.requireNonNull(cluster.slices().get(key));
  }

  private Service service(String name) {
    return Objects.requireNonNull(cluster.services().get(new NamespacedName("shop", name)));
  }

  private static Service copy(
      Service service, TrafficPolicy external, int healthPort, List<Service.Port> ports) {
    return Service.named(service.name().namespace(), service.name().name())
        .type(service.type())
        .clusterIps(service.clusterIps())
        .ipFamilies(service.ipFamilies())
        .ports(ports)
        .ingress(service.ingress())
        .sourceRanges(service.sourceRanges())
        .externalTrafficPolicy(external)
        .healthCheckNodePort(healthPort)
        .metadata(service.metadata())
        .build();
  }

  private static Instant time(String time) {
    return Instant.parse("2026-11-16T" + time + "Z");
  }
}

package dev.portolan.source.file;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.Failures;
import dev.portolan.testbase.Await;
import dev.portolan.text.TextException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a source follows files that change. */
class FileSourceTest {
  /** Longer than it takes to notice a change, but short enough to wait for. */
  private static final Duration MOMENT = Duration.ofMillis(1200);

  @TempDir private Path folder;
  private final Recorder recorder = new Recorder();
  private FileSource source;
  private Thread thread;

  @AfterEach
  void stop() throws InterruptedException {
    if (thread != null) {
      thread.interrupt();
      assertThat(thread.join(Await.PATIENCE)).isTrue();
    }
  }

  @Test
  void the_first_transaction_is_the_whole_folder() throws Exception {
    write("a.yaml", node("n1") + "---\n" + node("n2"));
    write("more/b.yml", node("n3"));
    write(
        "c.json", "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n4\"}}");
    write("notes.txt", "no manifest");
    write(".hidden.yaml", node("hidden"));
    write(".git/x.yaml", node("hidden"));
    start(folder);
    assertThat(nodes(recorder.transaction())).containsExactly("n1", "n2", "n3", "n4");
    assertThat(source.place(ObjectRef.node("n2"))).contains(folder.resolve("a.yaml") + ":5");
    assertThat(source.place(ObjectRef.node("n5"))).isEmpty();
  }

  @Test
  void a_file_edited_in_place_is_one_transaction_of_what_changed() throws Exception {
    write("a.yaml", node("n1") + "---\n" + node("n2"));
    start(folder);
    recorder.transaction();
    write("a.yaml", node("n2") + "---\n" + node("n3"));
    assertThat(changes(recorder.transaction())).containsExactly("-n1", "+n3");
    recorder.assertQuiet();
  }

  @Test
  void a_file_that_is_written_slowly_is_not_applied_half() throws Exception {
    Path file = write("a.yaml", node("n0") + "---\n" + node("n1") + "---\n" + node("n2"));
    start(folder);
    recorder.transaction();
    for (int round = 3; ; round++) {
      Duration pause = writeSlowly(file, List.of("n0", "n1", "n2", "n" + round));
      List<String> changes = changes(recorder.transaction());
      if (pause.compareTo(ManifestListing.SETTLED) < 0) {
        assertThat(changes).contains("+n" + round).doesNotContain("-n0", "-n1", "-n2");
        return;
      }
      // The machine paused for so long that the source could not have noticed.
      write("a.yaml", node("n0") + "---\n" + node("n1") + "---\n" + node("n2"));
      Await.until("the nodes of before", () -> recorder.has("n0", "n1", "n2"));
      recorder.transactions.clear();
    }
  }

  /** Writes nodes one by one; returns an upper limit of the longest time between two writes. */
  private static Duration writeSlowly(Path file, List<String> nodes) throws Exception {
    Duration longest = Duration.ZERO;
    try (OutputStream out = Files.newOutputStream(file)) {
      for (String node : nodes) {
        Instant start = Instant.now();
        out.write(("---\n" + node(node)).getBytes(UTF_8));
        Thread.sleep(120);
        Duration pause = Duration.between(start, Instant.now());
        longest = pause.compareTo(longest) > 0 ? pause : longest;
      }
    }
    return longest.plusMillis(50);
  }

  @Test
  void a_file_given_by_its_own_path_is_followed_through_renames() throws Exception {
    Path file = write("cluster", node("n1"));
    write("neighbour.yaml", node("other"));
    start(file);
    assertThat(nodes(recorder.transaction())).containsExactly("n1");
    replace(file, node("n1") + "---\n" + node("n2"));
    assertThat(changes(recorder.transaction())).containsExactly("+n2");
    replace(file, node("n1"));
    assertThat(changes(recorder.transaction())).containsExactly("-n2");
  }

  @Test
  void a_new_file_and_a_deleted_file_are_noticed() throws Exception {
    write("a.yaml", node("n1"));
    start(folder);
    recorder.transaction();
    Path added = write("deep/er/b.yaml", node("n2"));
    assertThat(changes(recorder.transaction())).containsExactly("+n2");
    Files.delete(added);
    assertThat(changes(recorder.transaction())).containsExactly("-n2");
    Files.delete(folder.resolve("a.yaml"));
    assertThat(changes(recorder.transaction())).containsExactly("-n1");
    assertThat(recorder.report())
        .isEqualTo(
            folder
                + ": contains no Service, EndpointSlice, Node or ServiceCIDR, so the cluster is"
                + " empty");
  }

  @Test
  void the_swap_of_a_config_map_is_one_transaction() throws Exception {
    swap(0);
    Files.createSymbolicLink(folder.resolve("a.yaml"), Path.of("..data/a.yaml"));
    Files.createSymbolicLink(folder.resolve("b.yaml"), Path.of("..data/b.yaml"));
    start(folder);
    assertThat(nodes(recorder.transaction())).containsExactly("a0", "b0");
    for (int i = 1; i <= 3; i++) {
      swap(i);
      assertThat(changes(recorder.transaction()))
          .containsExactly("-a" + (i - 1), "+a" + i, "-b" + (i - 1), "+b" + i);
    }
    recorder.assertQuiet();
    assertThat(recorder.reports).isEmpty();
  }

  @Test
  void swaps_in_quick_succession_never_show_half_of_two_states() throws Exception {
    int last = 150;
    swap(0);
    Files.createSymbolicLink(folder.resolve("a.yaml"), Path.of("..data/a.yaml"));
    Files.createSymbolicLink(folder.resolve("b.yaml"), Path.of("..data/b.yaml"));
    start(folder);
    ClusterImage image = recorder.transaction().applyTo(ClusterImage.EMPTY);
    for (int i = 1; i <= last; i++) {
      swap(i);
      Thread.sleep(i % 10 == 0 ? 60 : i % 7);
    }
    while (!image.nodes().containsKey("a" + last)) {
      image = recorder.transaction().applyTo(image);
      assertThat(image.nodes().size()).isEqualTo(2);
      String first = image.nodes().iterator().next().getKey();
      assertThat(image.nodes().containsKey(first.replace("a", "b"))).isTrue();
    }
  }

  @Test
  void files_behind_links_to_elsewhere_are_followed(@TempDir Path elsewhere) throws Exception {
    Path real = Files.writeString(elsewhere.resolve("real.txt"), node("n1"));
    Files.createSymbolicLink(folder.resolve("a.yaml"), real);
    Files.createSymbolicLink(folder.resolve("loop"), folder);
    Files.createSymbolicLink(folder.resolve("z.yaml"), real);
    Files.createSymbolicLink(folder.resolve("nowhere.yaml"), Path.of("gone"));
    start(folder);
    assertThat(nodes(recorder.transaction())).containsExactly("n1");
    assertThat(recorder.report())
        .isEqualTo(folder.resolve("nowhere.yaml") + ": is a broken symbolic link; ignored");
    replace(real, node("n2"));
    assertThat(changes(recorder.transaction())).containsExactly("-n1", "+n2");
  }

  @Test
  void a_broken_file_is_reported_once_and_the_last_good_state_stays_until_it_heals()
      throws Exception {
    write("a.yaml", node("n1"));
    write("b.yaml", node("n2"));
    start(folder);
    recorder.transaction();
    write("a.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: [}\n");
    assertThat(recorder.report())
        .startsWith(folder.resolve("a.yaml") + ":3:19: Node: metadata.name[0]: not valid YAML: ")
        .endsWith("; the last good state stays in effect [PORT-102]");
    assertThat(source.place(ObjectRef.node("n1"))).contains(folder.resolve("a.yaml") + ":1");
    write("b.yaml", node("n3"));
    recorder.assertQuiet();
    write("a.yaml", node("n1"));
    assertThat(changes(recorder.transaction())).containsExactly("-n2", "+n3");
    assertThat(recorder.report()).isEqualTo("recovered");
    write("a.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: [}\n");
    assertThat(recorder.report()).contains(":3:19: ");
  }

  @Test
  void a_file_that_is_cut_off_in_an_escape_is_a_broken_file() throws Exception {
    write("a.yaml", node("n1"));
    start(folder);
    recorder.transaction();
    for (String escape : List.of("\\u", "\\x", "\\U", "\\UFFFFFFFF\"")) {
      write("a.yaml", "kind: \"" + escape);
      assertThat(recorder.report()).startsWith(folder.resolve("a.yaml") + ":1:10: kind: ");
      write("a.yaml", node("n1"));
      assertThat(recorder.report()).isEqualTo("recovered");
    }
    write("a.yaml", node("n2"));
    assertThat(changes(recorder.transaction())).containsExactly("-n1", "+n2");
  }

  @Test
  void what_nobody_expects_is_counted_reported_and_tried_again() throws Exception {
    write("a.yaml", node("n1"));
    start(folder);
    recorder.transaction();
    recorder.throwing = true;
    write("a.yaml", node("n2"));
    assertThat(recorder.report())
        .isEqualTo(
            folder
                + ": unexpected failure: java.lang.StackOverflowError: a test; the last good state"
                + " stays in effect [PORT-500]");
    recorder.throwing = false;
    assertThat(changes(recorder.transaction())).containsExactly("-n1", "+n2");
    assertThat(recorder.report()).isEqualTo("recovered");
    assertThat(Failures.ofProcess().counts()).containsKey("source");
  }

  @Test
  void a_file_that_is_empty_for_a_while_loses_nothing() throws Exception {
    Path file = write("a.yaml", node("n1"));
    start(folder);
    recorder.transaction();
    Files.writeString(file, "");
    assertThat(recorder.report()).startsWith(file + ": is empty, ");
    Files.writeString(file, node("n1") + "---\n" + node("n2"));
    assertThat(changes(recorder.transaction())).containsExactly("+n2");
  }

  @Test
  void a_path_that_goes_away_is_reported_and_the_last_good_state_stays() throws Exception {
    Path file = write("cluster.yaml", node("n1"));
    start(file);
    recorder.transaction();
    Files.delete(file);
    assertThat(recorder.report())
        .isEqualTo(
            file
                + ": no such file or folder; check the path; the last good state stays in effect"
                + " [PORT-102]");
    write("cluster.yaml", node("n2"));
    assertThat(changes(recorder.transaction())).containsExactly("-n1", "+n2");
  }

  @Test
  void a_change_without_meaning_is_no_transaction() throws Exception {
    write("a.yaml", node("n1"));
    start(folder);
    recorder.transaction();
    write("a.yaml", "# a comment\n" + node("n1"));
    write("notes.txt", "no manifest");
    write("deployment.yaml", "{apiVersion: apps/v1, kind: Deployment}");
    Await.until(
        "its new place", () -> source.place(ObjectRef.node("n1")).orElse("").endsWith(":2"));
    recorder.assertQuiet();
    assertThat(recorder.reports).isEmpty();
  }

  @Test
  void a_warning_is_reported_once() throws Exception {
    write("a.yaml", "just text");
    write("b.yaml", node("n1"));
    start(folder);
    recorder.transaction();
    assertThat(recorder.report()).contains("a.yaml:1:1: is not an object");
    write("b.yaml", node("n2"));
    recorder.transaction();
    assertThat(recorder.reports).isEmpty();
  }

  @Test
  void the_same_object_in_two_files_is_that_of_the_first_file() throws Exception {
    write("a.yaml", node("n1"));
    write("b.yaml", node("n1"));
    assertThat(Manifests.read(folder).warnings())
        .containsExactly(
            folder.resolve("b.yaml")
                + ":1: Node n1: duplicate, first defined at "
                + folder.resolve("a.yaml")
                + ":1; this one is ignored, so remove one of them");
  }

  @Test
  void a_folder_that_cannot_be_read_at_the_start_is_an_error() throws Exception {
    Path nowhere = folder.resolve("nowhere");
    assertThatThrownBy(() -> new FileSource(nowhere).run(recorder))
        .isInstanceOf(TextException.class)
        .hasMessage(nowhere + ": no such file or folder; check the path");
    write("a.yaml", "{");
    assertThatThrownBy(() -> new FileSource(folder).run(recorder))
        .isInstanceOf(TextException.class)
        .hasMessageStartingWith(folder.resolve("a.yaml") + ":1:");
    assertThat(recorder.transactions).isEmpty();
  }

  @Test
  void an_empty_folder_is_an_empty_cluster_and_a_warning() throws Exception {
    start(folder);
    assertThat(recorder.transaction().isEmpty()).isTrue();
    assertThat(recorder.report()).contains("contains no Service");
    write("a.yaml", node("n1"));
    assertThat(changes(recorder.transaction())).containsExactly("+n1");
  }

  @Test
  void text_is_utf_8_or_utf_16_with_a_mark() throws Exception {
    Path file = folder.resolve("a.yaml");
    for (Charset charset : List.of(UTF_8, UTF_16LE, UTF_16BE)) {
      Files.write(file, ("\ufeff" + node("n1")).getBytes(charset));
      assertThat(Manifests.read(folder).places()).containsKey(ObjectRef.node("n1"));
    }
    Files.write(file, new byte[] {'a', ':', '\n', 'b', ':', ' ', (byte) 0xe4, '\n'});
    assertThatThrownBy(() -> Manifests.read(file))
        .hasMessage(file + ":2:4: the byte 0xE4 is not UTF-8 text; save the file as UTF-8");
  }

  private void start(Path path) {
    source = new FileSource(path);
    thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                source.run(recorder);
              } catch (InterruptedException e) {
                // The test is over.
              }
            });
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static void replace(Path file, String text) throws IOException {
    Path next = Files.writeString(file.resolveSibling("next"), text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Does to a volume what the kubelet does when a ConfigMap changes. */
  private void swap(int version) throws IOException {
    String name = "..2026_" + version;
    write(name + "/a.yaml", node("a" + version));
    write(name + "/b.yaml", node("b" + version));
    Path link = Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of(name));
    Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    Path old = folder.resolve("..2026_" + (version - 1));
    if (Files.exists(old)) {
      Files.delete(old.resolve("a.yaml"));
      Files.delete(old.resolve("b.yaml"));
      Files.delete(old);
    }
  }

  private static String node(String name) {
    return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\n";
  }

  private static List<String> nodes(ClusterDelta transaction) {
    ClusterImage image = transaction.applyTo(ClusterImage.EMPTY);
    List<String> names = new ArrayList<>();
    image.nodes().forEach((name, node) -> names.add(name));
    return names;
  }

  private static List<String> changes(ClusterDelta transaction) {
    return transaction.nodes().entrySet().stream()
        .map(change -> (change.getValue().isPresent() ? "+" : "-") + change.getKey())
        .toList();
  }

  /** Keeps what a source hands over. */
  private static final class Recorder implements Source.Sink {
    private final BlockingQueue<ClusterDelta> transactions = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();
    private ClusterImage image = ClusterImage.EMPTY;
    private volatile boolean throwing;

    @Override
    public synchronized void apply(ClusterImage newest) {
      if (throwing) {
        throw new StackOverflowError("a test");
      }
      transactions.add(ClusterDelta.between(image, newest));
      image = newest;
    }

    @Override
    public void report(String problem) {
      reports.add(problem);
    }

    @Override
    public void recovered() {
      reports.add("recovered");
    }

    private synchronized boolean has(String... nodes) {
      return image.nodes().size() == nodes.length
          && List.of(nodes).stream().allMatch(image.nodes()::containsKey);
    }

    private ClusterDelta transaction() throws InterruptedException {
      ClusterDelta next = transactions.poll(Await.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(next).as("a transaction; reported was %s", reports).isNotNull();
      return next;
    }

    private String report() throws InterruptedException {
      String next = reports.poll(Await.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(next).as("a report").isNotNull();
      return next;
    }

    private void assertQuiet() throws InterruptedException {
      assertThat(transactions.poll(MOMENT.toMillis(), TimeUnit.MILLISECONDS)).isNull();
      assertThat(reports).isEmpty();
    }
  }
}

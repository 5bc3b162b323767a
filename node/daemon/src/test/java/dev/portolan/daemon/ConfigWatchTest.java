package dev.portolan.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.file.ConfigText;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.gates.Platform;
import dev.portolan.testbase.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatchTest {
  /** So long that a test that needs it fails. */
  private static final Duration NEVER = Duration.ofHours(1);

  @TempDir private Path folder;
  private final Heard heard = new Heard();
  private Path file;

  /** The listener's calls, as text. */
  private static final class Heard implements ConfigWatch.Listener {
    private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

    @Override
    public void changed(StartPlan plan) {
      queue.add("period " + plan.configuration().syncPeriod().toSeconds());
    }

    @Override
    public void refused(List<Finding> errors) {
      errors.forEach(error -> queue.add(error.toString()));
    }

    String next() throws InterruptedException {
      return Await.next(queue);
    }
  }

  @BeforeEach
  void prepare() {
    file = folder.resolve("config.yaml");
  }

  private static String text(int period) {
    return "apiVersion: kubeproxy.config.k8s.io/v1alpha2\nkind: KubeProxyConfiguration\n"
        + "mode: nftables\n"
        + "detectLocalMode: NodeCIDR\nsyncPeriod: "
        + period
        + "s\n";
  }

  private StartPlan plan(String... more) {
    List<String> arguments = new ArrayList<>(List.of("--config=" + file));
    arguments.addAll(List.of(more));
    return (StartPlan) Start.of(arguments, ConfigText::read, Platform.LINUX);
  }

  private static ConfigWatch start(
      StartPlan plan, ConfigWatch.Listener listener, Duration longestSleep) {
    return ConfigWatch.start(plan, plan.source().orElseThrow().text(), listener, longestSleep);
  }

  private ConfigWatch watch() {
    return start(plan(), heard, NEVER);
  }

  @Test
  void aPlainRewriteIsHeard() throws Exception {
    Files.writeString(file, text(10));
    try (ConfigWatch watch = watch()) {
      Files.writeString(file, text(11));
      assertThat(heard.next()).isEqualTo("period 11");
      Files.writeString(file, text(12));
      assertThat(heard.next()).isEqualTo("period 12");
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void aRenameOverTheFileIsHeard() throws Exception {
    Files.writeString(file, text(10));
    try (ConfigWatch watch = watch()) {
      Path next = Files.writeString(folder.resolve("next"), text(11));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
      assertThat(heard.next()).isEqualTo("period 11");
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void aBadFileIsReportedOnceAndTheOldOneStays() throws Exception {
    Files.writeString(file, text(10));
    try (ConfigWatch watch = watch()) {
      Files.writeString(file, text(-1));
      assertThat(heard.next())
          .isEqualTo(file + ":5:1: syncPeriod: Invalid value: \"-1s\": must be greater than 0");
      assertThat(heard.next()).contains("must be greater than or equal to minSyncPeriod");
      Files.setLastModifiedTime(file, FileTime.fromMillis(0));
      Files.writeString(file, "mode: [");
      assertThat(heard.next()).startsWith(file + ":");
      for (String escape : List.of("\\u", "\\x", "\\U", "\\UFFFFFFFF\"")) {
        Files.writeString(file, "mode: \"" + escape);
        assertThat(heard.next()).startsWith(file + ":1:10: not valid YAML: an escape needs ");
        int period = 20 + escape.length();
        Files.writeString(file, text(period));
        assertThat(heard.next()).isEqualTo("period " + period);
        Files.writeString(file, text(10));
        assertThat(heard.next()).isEqualTo("period 10");
      }
      Files.writeString(file, text(10));
      Files.writeString(folder.resolve("else"), "");
      Files.writeString(file, text(13));
      assertThat(heard.next()).isEqualTo("period 13");
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void aFileThatGoesAndComesBackIsHeard() throws Exception {
    Files.writeString(file, text(10));
    try (ConfigWatch watch = watch()) {
      Files.delete(file);
      assertThat(heard.next()).isEqualTo(file + ": no such file");
      Files.writeString(file, text(14));
      assertThat(heard.next()).isEqualTo("period 14");
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void whatMakesNoDifferenceIsNotHeard() throws Exception {
    Files.writeString(file, text(10));
    try (ConfigWatch watch = watch()) {
      Files.writeString(file, "# A comment.\n" + text(10));
      Files.writeString(folder.resolve("neighbour.yaml"), "x");
      Path copy = Files.writeString(folder.resolve("copy"), text(10));
      Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
      Files.writeString(file, text(15));
      assertThat(heard.next()).isEqualTo("period 15");
      assertThat(heard.queue).isEmpty();
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void aChangeBetweenThePlanAndTheWatchIsHeard() throws Exception {
    Files.writeString(file, text(10));
    StartPlan plan = plan();
    Files.writeString(file, text(16));
    try (ConfigWatch watch = start(plan, heard, NEVER)) {
      assertThat(heard.next()).isEqualTo("period 16");
      assertThat(watch).isNotNull();
    }
  }

  /** The files of a ConfigMap are links through ..data, which is swapped for a new folder. */
  @Test
  void aConfigMapIsHeard() throws Exception {
    swap(1, text(10));
    Files.createSymbolicLink(file, Path.of("..data", "config.yaml"));
    try (ConfigWatch watch = watch()) {
      for (int version = 2; version < 6; version++) {
        swap(version, text(20 + version));
        assertThat(heard.next()).isEqualTo("period " + (20 + version));
      }
      swap(6, "kind: Nonsense\napiVersion: v1\n");
      assertThat(heard.next()).contains("expected KubeProxyConfiguration, found \"Nonsense\"");
      swap(7, text(27));
      assertThat(heard.next()).isEqualTo("period 27");
      assertThat(heard.queue).isEmpty();
      assertThat(watch).isNotNull();
    }
  }

  /** As kubelet does it: a new folder, a new link, the link renamed, the old folder removed. */
  private void swap(int version, String text) throws IOException {
    Path now = Files.createDirectory(folder.resolve("..2026_11_15_" + version));
    Files.writeString(now.resolve("config.yaml"), text);
    Path link = folder.resolve("..data_tmp");
    Files.createSymbolicLink(link, now.getFileName());
    Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    Path before = folder.resolve("..2026_11_15_" + (version - 1));
    if (Files.exists(before)) {
      Files.delete(before.resolve("config.yaml"));
      Files.delete(before);
    }
  }

  /** No folder on the way to the file changes here, so only the slow look can notice. */
  @Test
  void whatTheKernelDoesNotTellIsFoundByLooking() throws Exception {
    Path one = Files.createDirectories(folder.resolve("one/etc"));
    Path two = Files.createDirectories(folder.resolve("two/etc"));
    Files.writeString(one.resolve("config.yaml"), text(10));
    Files.writeString(two.resolve("config.yaml"), text(30));
    Path link = folder.resolve("link");
    Files.createSymbolicLink(link, one.getParent());
    file = link.resolve("etc/config.yaml");
    try (ConfigWatch watch = start(plan(), heard, Duration.ofMillis(50))) {
      Files.delete(link);
      Files.createSymbolicLink(link, two.getParent());
      String first = heard.next();
      assertThat(first.endsWith("no such file") ? heard.next() : first).isEqualTo("period 30");
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void aListenerMayEndTheWatch() throws Exception {
    Files.writeString(file, text(10));
    AtomicReference<ConfigWatch> watch = new AtomicReference<>();
    ConfigWatch.Listener closing =
        new ConfigWatch.Listener() {
          @Override
          public void changed(StartPlan plan) {
            watch.get().close();
            heard.changed(plan);
          }

          @Override
          public void refused(List<Finding> errors) {
            heard.refused(errors);
          }
        };
    watch.set(start(plan("--exit-on-config-change"), closing, NEVER));
    Files.writeString(file, text(17));
    assertThat(heard.next()).isEqualTo("period 17");
    watch.get().close();
    assertThat(heard.queue).isEmpty();
  }
}

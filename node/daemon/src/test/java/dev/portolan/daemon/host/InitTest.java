package dev.portolan.daemon.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.fields.ProxyConfiguration.Conntrack;
import dev.portolan.config.fields.ProxyConfiguration.Linux;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written into a folder that looks like a host with four processors. */
final class InitTest {
  private static final String SYSCTL = "proc/sys/net/netfilter/nf_conntrack_";
  private static final String HASH_SIZE = "sys/module/nf_conntrack/parameters/hashsize";
  private static final String OOM_SCORE = "proc/self/oom_score_adj";
  private static final Duration NONE = Duration.ZERO;

  @TempDir private Path root;

  @BeforeEach
  void aHostAsItBoots() throws IOException {
    put("sys/devices/system/cpu/online", "0-2,5\n");
    put(HASH_SIZE, "16384\n");
    put(OOM_SCORE, "0\n");
    put(SYSCTL + "max", "65536\n");
    put(SYSCTL + "tcp_timeout_established", "432000\n");
    put(SYSCTL + "tcp_timeout_close_wait", "60\n");
    put(SYSCTL + "tcp_be_liberal", "0\n");
    put(SYSCTL + "udp_timeout", "30\n");
    put(SYSCTL + "udp_timeout_stream", "120\n");
  }

  @Test
  void theDefaultsAreSet() throws IOException {
    Init.Report report = init().run(new Linux(false, -999, defaults()));
    assertThat(report.set())
        .containsExactly(
            "set net.netfilter.nf_conntrack_max to 131072, it was 65536",
            "set /sys/module/nf_conntrack/parameters/hashsize to 32768, it was 16384",
            "set net.netfilter.nf_conntrack_tcp_timeout_established to 86400, it was 432000",
            "set net.netfilter.nf_conntrack_tcp_timeout_close_wait to 3600, it was 60",
            "set /proc/self/oom_score_adj to -999, it was 0");
    assertThat(report.refused()).isEmpty();
    assertThat(report.isUsable()).isTrue();
    assertThat(read(SYSCTL + "max")).isEqualTo("131072");
    assertThat(read(SYSCTL + "udp_timeout")).isEqualTo("30");
    assertThat(read(SYSCTL + "tcp_be_liberal")).isEqualTo("0");
    assertThat(read(OOM_SCORE)).isEqualTo("-999");

    Init.Report again = init().run(new Linux(false, -999, defaults()));
    assertThat(again.set()).isEmpty();
    assertThat(again.isUsable()).isTrue();
  }

  @Test
  void everythingCanBeSet() throws IOException {
    Conntrack all =
        new Conntrack(
            0,
            0,
            Duration.ofMinutes(1),
            Duration.ofMillis(10),
            true,
            Duration.ofMillis(2900),
            Duration.ofSeconds(7));
    assertThat(init().conntrack(all).fatal()).isEmpty();
    assertThat(read(SYSCTL + "tcp_timeout_established")).isEqualTo("60");
    assertThat(read(SYSCTL + "tcp_timeout_close_wait")).isEqualTo("1");
    assertThat(read(SYSCTL + "tcp_be_liberal")).isEqualTo("1");
    assertThat(read(SYSCTL + "udp_timeout")).isEqualTo("2");
    assertThat(read(SYSCTL + "udp_timeout_stream")).isEqualTo("7");
    assertThat(read(SYSCTL + "max")).isEqualTo("65536");
  }

  @ParameterizedTest(name = "{0} a processor, at least {1}, present {2}: {3}, hash size {4}")
  @CsvSource({
    "32768, 131072, 65536, 131072, 32768",
    "32768, 0, 65536, 131072, 32768",
    "20000, 131072, 65536, 131072, 32768",
    "50000, 131072, 65536, 200000, 50000",
    "50000, 131072, 300000, 300000, 50000", // never lowered
    "500000, 0, 65536, 1048576, 262144", // capped
    "500000, 2000000, 65536, 2000000, 500000", // but what was asked for counts
    "10000, 0, 1, 40000, 16384", // large enough already
    "0, 131072, 65536, 65536, 16384" // left alone
  })
  void theNumberOfFlowsGrowsWithTheProcessors(
      int perCore, int min, int present, int max, int hashSize) throws IOException {
    put(SYSCTL + "max", Integer.toString(present));
    Conntrack config = new Conntrack(perCore, min, NONE, NONE, false, NONE, NONE);
    assertThat(init().conntrack(config).fatal()).isEmpty();
    assertThat(read(SYSCTL + "max")).isEqualTo(Integer.toString(max));
    assertThat(read(HASH_SIZE)).isEqualTo(Integer.toString(hashSize));
  }

  @Test
  void whatIsMissingIsFatalAndTheRestIsSet() throws IOException {
    Files.delete(root.resolve(HASH_SIZE));
    Files.delete(root.resolve(SYSCTL + "tcp_timeout_close_wait"));
    Init.Report report = init().run(new Linux(false, 0, defaults()));
    assertThat(report.isUsable()).isFalse();
    assertThat(report.fatal())
        .containsExactly(
            "could not set conntrack parameters: /sys/module/nf_conntrack/parameters/hashsize to"
                + " 32768: this kernel does not have it; load the module nf_conntrack, or set"
                + " conntrack.maxPerCore to 0 to keep the current value",
            "could not set conntrack parameters: net.netfilter.nf_conntrack_tcp_timeout_close_wait"
                + " to 3600: this kernel does not have it; load the module nf_conntrack, or set"
                + " conntrack.tcpCloseWaitTimeout to 0 to keep the current value");
    assertThat(read(SYSCTL + "max")).isEqualTo("131072");
    assertThat(read(SYSCTL + "tcp_timeout_established")).isEqualTo("86400");
  }

  @Test
  void theModuleIsLoadedWhereItIsMissing() throws IOException {
    Files.delete(root.resolve(SYSCTL + "max"));
    Init init =
        new Init(
            root,
            () -> {
              try {
                put(SYSCTL + "max", "1");
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    assertThat(init.conntrack(defaults()).fatal()).isEmpty();
    assertThat(read(SYSCTL + "max")).isEqualTo("131072");
  }

  @Test
  void aKernelWithoutConnectionTrackingIsOneSentence() throws IOException {
    Files.delete(root.resolve(SYSCTL + "max"));
    assertThat(init().conntrack(defaults()).fatal())
        .containsExactly(
            "could not set conntrack parameters: this kernel does not track connections; load the"
                + " module nf_conntrack");
  }

  @Test
  void aFileThatHoldsNoNumberIsNamed() throws IOException {
    put(SYSCTL + "max", "many");
    assertThat(init().conntrack(defaults()).fatal())
        .singleElement()
        .asString()
        .contains("nf_conntrack_max to 131072: it holds 'many', which is not a number");
  }

  @Test
  void theOomScoreCanBeDoneWithout() throws IOException {
    Files.delete(root.resolve(OOM_SCORE));
    Init.Report report = init().oomScore(-999);
    assertThat(report.isUsable()).isTrue();
    assertThat(report.refused())
        .singleElement()
        .asString()
        .startsWith("cannot set /proc/self/oom_score_adj to -999: this kernel does not have it");
  }

  @ParameterizedTest
  @CsvSource({
    "Read-only file system, it is mounted read-only",
    "Operation not permitted, it is not permitted",
    "Invalid argument, invalid argument"
  })
  void reasonsAreWords(String reason, String words) {
    assertThat(HostFiles.reason(new FileSystemException("file", null, reason))).isEqualTo(words);
  }

  @Test
  void processorsAreCountedAsTheKernelLists() throws IOException {
    HostFiles files = new HostFiles(root);
    assertThat(Processors.online(files)).isEqualTo(4);
    put("sys/devices/system/cpu/online", "0\n");
    assertThat(Processors.online(files)).isEqualTo(1);
    put("sys/devices/system/cpu/online", "\n");
    assertThat(Processors.online(files)).isPositive();
  }

  private Init init() {
    return new Init(root, () -> {});
  }

  private static Conntrack defaults() {
    return new Conntrack(
        32_768, 131_072, Duration.ofHours(24), Duration.ofHours(1), false, NONE, NONE);
  }

  private void put(String file, String text) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), text);
  }

  private String read(String file) throws IOException {
    return Files.readString(root.resolve(file)).strip();
  }
}

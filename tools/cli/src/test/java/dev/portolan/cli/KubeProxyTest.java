package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import dev.portolan.options.OwnVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command {@code kube-proxy} up to the point where the daemon takes over.
 *
 * <p>Nothing here may start the daemon, which would program this machine: what is good is written
 * to a file.
 */
final class KubeProxyTest {
  private static final String NO_IPVS =
      "error: --proxy-mode: Invalid value: \"ipvs\": must be iptables, nftables, ebpf, userspace or"
          + " blank (blank means the best-available proxy [currently nftables])";

  @TempDir private Path folder;

  private static Result run(String... flags) {
    return Shell.run(withName(flags));
  }

  private Result real(String... flags) throws Exception {
    return RealProgram.run(folder, "", withName(flags));
  }

  private static String[] withName(String... flags) {
    return Stream.concat(Stream.of("kube-proxy"), Stream.of(flags)).toArray(String[]::new);
  }

  private String file(String version, String... lines) throws IOException {
    String text =
        "apiVersion: kubeproxy.config.k8s.io/"
            + version
            + "\nkind: KubeProxyConfiguration\n"
            + String.join("\n", lines)
            + "\n";
    return Files.writeString(folder.resolve("config.yaml"), text).toString();
  }

  @Test
  void helpIsTheGoldenFile() throws IOException {
    Result help = run("--help");
    assertThat(help.status()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    try (InputStream golden = getClass().getResourceAsStream("/kube-proxy-help.txt")) {
      byte[] bytes = Objects.requireNonNull(golden).readAllBytes();
      assertThat(help.out()).isEqualTo(new String(bytes, StandardCharsets.UTF_8));
    }
    assertThat(run("-h")).isEqualTo(help);
  }

  @Test
  void theVersionIsToldInThreeWays() {
    assertThat(run("--version").out())
        .isEqualTo("Kubernetes v1.37.0 (portolan " + OwnVersion.text() + ")\n");
    assertThat(run("--version=true", "--emulated-version=1.40").out()).contains("v1.40.0");
    assertThat(run("--version=raw").out()).isEqualTo(Shell.run("version").out());
    assertThat(run("--version=false", "--write-config-to=" + folder.resolve("out")).out())
        .isEmpty();
    assertThat(folder.resolve("out")).exists();
  }

  @Test
  void aWrongCommandLineEndsWithOne() throws Exception {
    Result result = real("--proxi_mode=nftables", "extra");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .isEqualTo(
            """
            error: unknown flag: --proxi-mode; did you mean --proxy-mode?
            error: "kube-proxy" does not take any arguments, got ["extra"]
            portolan: kube-proxy cannot start: 2 errors [PORT-101]
            """);
  }

  @Test
  void aFlagOfWindowsIsUnknownHere() {
    for (String flag :
        List.of(
            "windows-service",
            "source-vip",
            "network-name",
            "enable-dsr",
            "root-hnsendpoint-name")) {
      Result result = run("--" + flag + "=x");
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err())
          .startsWith("error: unknown flag: --" + flag + "; only Windows has it, so remove it\n");
      assertThat(run("--help").out()).doesNotContain("--" + flag);
    }
  }

  @Test
  void aDashReadsStandardInput() throws Exception {
    Path out = folder.resolve("out.yaml");
    String text =
        "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: ";
    String[] flags = withName("--config=-", "--write-config-to=" + out);
    Result good = RealProgram.run(folder, text + "nftables\nclusterCIDR: 10.0.0.0/8\n", flags);
    assertThat(good.err()).isEmpty();
    assertThat(out).content().contains("\nmode: nftables\n");
    assertThat(RealProgram.run(folder, text + "magic\n", flags).err())
        .startsWith("error: standard input:3:1: mode: Invalid value: \"magic\"");
  }

  @ParameterizedTest
  @CsvSource({"1.34, false", "1.37, true", "1.43, true"})
  void helpSaysHowFarIpvsIsOnItsWayOut(String release, boolean said) {
    String help = run("--help", "--emulated-version=" + release).out().replaceAll("\\s+", " ");
    assertThat(help.contains("Deprecated with mode ipvs.")).isEqualTo(said);
    assertThat(help.contains("Mode ipvs was removed")).isEqualTo(release.equals("1.43"));
  }

  @Test
  void excludedRangesAreNotCalledUseless() {
    String[] flags = {
      "--proxy-mode=nftables",
      "--cluster-cidr=10.0.0.0/8",
      "--ipvs-exclude-cidrs=10.9.0.0/16,here",
      "--ipvs-strict-arp",
      "--write-config-to=" + folder.resolve("out")
    };
    assertThat(run(flags).err())
        .isEqualTo(
            """
            warning: --ipvs-exclude-cidrs: "here" is ignored: it is not a valid CIDR, so virtual \
            servers in it are removed when a proxy in mode ipvs is replaced; correct it
            warning: --ipvs-strict-arp: has no effect: it applies to mode ipvs, and the mode is \
            nftables; remove it
            """);
  }

  @Test
  void aBadFileEndsWithOneAndAllErrors() throws Exception {
    String file = file("v1alpha2", "mode: magic", "syncPeriod: soon", "colour: blue");
    Result unreadable = real("--config=" + file);
    assertThat(unreadable.status()).isEqualTo(1);
    assertThat(unreadable.err())
        .contains(":4:13: syncPeriod: expected a duration", ":5:1: colour: unknown field")
        .contains(":3:1: mode: Invalid value", "clusterCIDRs: must contain at least one CIDR")
        .endsWith("portolan: kube-proxy cannot start: 5 errors [PORT-101]\n")
        .doesNotContain("\tat ");

    file("v1alpha2", "mode: magic", "detectLocalMode: NodeCIDR", "nodePortAddresses: [all]");
    Result wrong = real("--config", file, "--proxy-mode=nftables");
    assertThat(wrong.status()).isEqualTo(1);
    assertThat(wrong.err())
        .isEqualTo(
            "error: "
                + file
                + ":3:1: mode: Invalid value: \"magic\": must be iptables, ipvs, nftables, ebpf,"
                + " userspace or blank (blank means the best-available proxy [currently"
                + " iptables])\n"
                + "portolan: kube-proxy cannot start: 1 error [PORT-101]\n");
  }

  @Test
  void aFileThatIsNotThereEndsWithOne() throws Exception {
    Result result = real("--config=/no/such/file");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err())
        .isEqualTo(
            """
            error: /no/such/file: no such file; its folder does not exist: if it is to be a ConfigMap, mount it there
            portolan: kube-proxy cannot start: 1 error [PORT-101]
            """);
  }

  @Test
  void configHardFailDecides() throws Exception {
    String file = file("v1alpha2", "mode: nftables");
    Result hard = run("--config=" + file);
    assertThat(hard.status()).isEqualTo(1);
    assertThat(hard.err())
        .isEqualTo(
            "error: "
                + file
                + ": detectLocal.clusterCIDRs: must contain at least one CIDR, or traffic from pods"
                + " cannot be distinguished from external traffic; set the cluster's pod range, or"
                + " use another detectLocalMode (with 'configHardFail: false' this is a warning)\n"
                + "portolan: kube-proxy cannot start: 1 error [PORT-101]\n");

    file("v1alpha2", "mode: nftables", "configHardFail: false");
    assertThat(run("--config=" + file, "--write-config-to=" + folder.resolve("out")))
        .satisfies(result -> assertThat(result.status()).isZero())
        .satisfies(result -> assertThat(result.err()).startsWith("warning: " + file));
  }

  @Test
  void theEffectiveConfigurationIsWritten() throws Exception {
    String file = file("v1alpha1", "mode: nftables", "clusterCIDR: 10.0.0.0/8");
    Path out = folder.resolve("out.yaml");
    Result result =
        real("--config=" + file, "--proxy-mode=ipvs", "-v=3", "--write-config-to=" + out);
    assertThat(result.status()).isZero();
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .isEqualTo(
            "warning: --proxy-mode is ignored because --config is set; set it in the file"
                + " as mode\n");
    assertThat(Files.readString(out))
        .startsWith("apiVersion: kubeproxy.config.k8s.io/v1alpha2\n")
        .contains(
            "\nmode: nftables\n",
            "\n  # How much is logged; 0 is the least. Default: 0\n  verbosity: 3\n");
    assertThat(Shell.run("config", "validate", out.toString()).err()).isEmpty();
    Path again = folder.resolve("again.yaml");
    run("--config=" + out, "--write-config-to=" + again);
    assertThat(again).hasSameTextualContentAs(out);
  }

  @Test
  void aLinkToTheWrittenFileStaysALink() throws Exception {
    Path target = Files.writeString(folder.resolve("target"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target.getFileName());
    Result result =
        run("--proxy-mode=nftables", "--cluster-cidr=10.0.0.0/8", "--write-config-to=" + link);
    assertThat(result).isEqualTo(new Result(0, "", ""));
    assertThat(link).isSymbolicLink();
    assertThat(target).content().startsWith("apiVersion: ");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void aFileThatCannotBeWrittenEndsWithOne() {
    String path = folder.resolve("none/out").toString();
    Result result =
        run("--proxy-mode=nftables", "--cluster-cidr=10.0.0.0/8", "--write-config-to", path);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err())
        .isEqualTo(
            "portolan: "
                + path
                + " cannot be written: no such folder; create it first [PORT-104]\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1.20 | on  | ``",
        "1.34 | on  | ``",
        "1.35 | on  | ipvs is deprecated: it is off by default from 1.40 and removed in 1.43",
        "1.36 | on  | ipvs is deprecated: it is off by default from 1.40 and removed in 1.43",
        "1.37 | on  | ipvs is deprecated: it is off by default from 1.40 and removed in 1.43",
        "1.39 | on  | ipvs is deprecated: it is off by default from 1.40 and removed in 1.43",
        "1.40 | off | ; ipvs is off by default from 1.40 on: move to nftables, or set the feature"
            + " gate KubeProxyIPVS=true until 1.43",
        "1.43 | off | ; ipvs was removed in 1.43: move to nftables",
        "1.46 | off | ; ipvs was removed in 1.43: move to nftables",
      })
  void ipvsRetiresStageByStage(String release, String stage, String message) throws Exception {
    Path out = folder.resolve("out.yaml");
    Result result = ipvs(release, "--write-config-to=" + out);
    if (stage.equals("on")) {
      assertThat(result.err())
          .isEqualTo(
              message.isEmpty()
                  ? ""
                  : "warning: --proxy-mode: "
                      + message
                      + "; move to nftables ('portolan migrate' reports what changes)\n");
      assertThat(result.status()).isZero();
      assertThat(out).content().contains("\nmode: ipvs\n");
    } else {
      assertThat(result.err())
          .isEqualTo(
              NO_IPVS + message + "\nportolan: kube-proxy cannot start: 1 error [PORT-101]\n");
      assertThat(result.status()).isEqualTo(1);
      assertThat(out).doesNotExist();
    }
  }

  @Test
  void theGateBringsIpvsBackForAWhile() throws Exception {
    String gate = "--feature-gates=KubeProxyIPVS=true";
    Result off = ipvs("1.40", gate, "--write-config-to=" + folder.resolve("out.yaml"));
    assertThat(off.status()).isZero();
    assertThat(off.err())
        .isEqualTo(
            """
            warning: --feature-gates: setting deprecated feature gate KubeProxyIPVS=true. It will \
            be removed in a future release.
            warning: --proxy-mode: ipvs is deprecated: it is off by default from 1.40 and removed \
            in 1.43; move to nftables ('portolan migrate' reports what changes)
            """);

    Result locked = ipvs("1.43", gate);
    assertThat(locked.status()).isEqualTo(1);
    assertThat(locked.err())
        .startsWith(
            "error: --feature-gates: Invalid value: true: cannot set feature gate KubeProxyIPVS to"
                + " true, feature is locked to false\n")
        .contains(NO_IPVS);

    Result unknown = ipvs("1.46", gate);
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.err())
        .startsWith(
            "error: --feature-gates: Invalid value: true: unrecognized feature gate:"
                + " KubeProxyIPVS\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.34", "1.37", "1.40", "1.43", "1.46"})
  void forgottenOptionsOfIpvsWarnInEveryRelease(String release) {
    Result result =
        run(
            "--proxy-mode=nftables",
            "--emulated-version=" + release,
            "--cluster-cidr=10.244.0.0/16",
            "--nodeport-addresses=primary",
            "--ipvs-scheduler=lc",
            "--ipvs-strict-arp",
            "--write-config-to=" + folder.resolve("forgotten.yaml"));
    assertThat(result.status()).as(result::err).isZero();
    assertThat(result.err())
        .isEqualTo(
            """
            warning: --ipvs-scheduler: has no effect: it applies to mode ipvs, and the mode is \
            nftables; remove it
            warning: --ipvs-strict-arp: has no effect: it applies to mode ipvs, and the mode is \
            nftables; remove it
            """);
  }

  private Result ipvs(String release, String... more) throws Exception {
    return real(
        Stream.concat(
                Stream.of(
                    "--proxy-mode=ipvs",
                    "--cluster-cidr=10.0.0.0/8",
                    "--nodeport-addresses=primary",
                    "--emulated-version=" + release),
                Stream.of(more))
            .toArray(String[]::new));
  }
}

package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigTest {
  private static final String EXAMPLE = Shell.EXAMPLES.resolve("kube-proxy/config.yaml").toString();
  private static final String V1 =
      "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n";
  private static final String V2 =
      "apiVersion: kubeproxy.config.k8s.io/v1alpha2\nkind: KubeProxyConfiguration\n";

  @TempDir private Path folder;

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("f.yaml"), text).toString();
  }

  @Test
  void aFileIsConvertedToTheLatestVersion() {
    Result result = Shell.run("config", "convert", EXAMPLE);
    assertThat(result.status()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.tree())
        .containsEntry("apiVersion", "kubeproxy.config.k8s.io/v1alpha2")
        .containsEntry("syncPeriod", "1m0s")
        .containsEntry("configHardFail", false);
    assertThat(Shell.map(result.tree().get("detectLocal")))
        .containsEntry("clusterCIDRs", List.of("10.244.0.0/16", "fd00:10:244::/56"));
  }

  @Test
  void thereAndBackIsTheSame() throws IOException {
    String there = Shell.run("config", "convert", EXAMPLE).out();
    Result back = Shell.run("config", "convert", "--to", "v1alpha1", file(there));
    assertThat(back.err()).isEmpty();
    assertThat(Shell.run("config", "convert", file(back.out())).out()).isEqualTo(there);
  }

  @Test
  void whatIsLostIsAWarningWithItsPlace() throws IOException {
    String file = file(V2 + "mode: nftables\nipFamilyPolicy: SingleStack\nconfigHardFail: false\n");
    Result result = Shell.run("config", "convert", "--to", "v1alpha1", file);
    assertThat(result.status()).isZero();
    assertThat(result.err())
        .startsWith("warning: " + file + ":4:1: ipFamilyPolicy: SingleStack is lost: v1alpha1 ")
        .hasLineCount(1);
    assertThat(result.out()).startsWith(V1);
  }

  @Test
  void theDiffStandsSideBySide() {
    Result result = Shell.run("config", "convert", "--diff", EXAMPLE);
    assertThat(result.status()).isZero();
    assertThat(result.lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
        .contains("kind: KubeProxyConfiguration" + " ".repeat(13) + "kind: KubeProxyConfiguration")
        .noneSatisfy(line -> assertThat(line).contains("#"))
        .anySatisfy(line -> assertThat(line).endsWith(" > syncPeriod: 1m0s"))
        .anySatisfy(
            line -> assertThat(line).startsWith("apiVersion: ").contains(" | apiVersion: "));
  }

  @Test
  void standardInputIsADash() throws Exception {
    Result result =
        RealProgram.run(folder, V1 + "mode: nftables\ncolour: blue\n", "config", "convert", "-");
    assertThat(result.status()).isZero();
    assertThat(result.err())
        .isEqualTo(
            "warning: standard input:4:1: colour: unknown field \"colour\", which is ignored;"
                + " remove it\n");
    assertThat(result.out()).startsWith(V2).contains("\nmode: nftables\n");
  }

  @Test
  void aGoodFileIsValid() {
    Result result = Shell.run("config", "validate", EXAMPLE);
    assertThat(result.status()).isZero();
    assertThat(result.out()).isEqualTo(EXAMPLE + ": valid\n");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void allErrorsAreSaidAtOnceAndTheStatusIsOne() throws IOException {
    String file = file(V1 + "mode: magic\noomScoreAdj: 2000\nnodePortAddresses: [primary]\n");
    Result result = Shell.run("config", "validate", file);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .containsExactly(
            "error: "
                + file
                + ":3:1: mode: Invalid value: \"magic\": must be iptables, ipvs, nftables, ebpf,"
                + " userspace or blank (blank means the best-available proxy [currently iptables])",
            "error: "
                + file
                + ":4:1: oomScoreAdj: Invalid value: 2000: must be within the range [-1000, 1000]",
            "warning: "
                + file
                + ": clusterCIDR: must contain at least one CIDR, or traffic from pods cannot be"
                + " distinguished from external traffic; set the cluster's pod range, or use"
                + " another detectLocalMode",
            "portolan: " + file + ": not valid, 2 errors [PORT-101]");
  }

  @Test
  void theEmulatedReleaseDecides() throws IOException {
    String file = file(V1 + "mode: ipvs\nclusterCIDR: 10.0.0.0/8\nnodePortAddresses: [primary]\n");
    Result now = Shell.run("config", "validate", file);
    assertThat(now.status()).isZero();
    assertThat(now.err())
        .startsWith(
            "warning: "
                + file
                + ":3:1: mode: ipvs is deprecated: it is off by default from 1.40 and removed in"
                + " 1.43;");
    Result later = Shell.run("config", "validate", "--emulated-version", "1.40", file);
    assertThat(later.status()).isEqualTo(1);
    assertThat(later.err()).contains("ipvs is off by default from 1.40 on");
    Result wrong = Shell.run("config", "validate", "--emulated-version", "new", file);
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err())
        .startsWith(
            "portolan: --emulated-version: 'new' is not a release that can be emulated; write one"
                + " from 1.20 to 1.46\n");
    assertThat(Shell.run("config", "validate", "--emulated-version=9.9", file).status())
        .isEqualTo(2);
  }

  @Test
  void aReleaseBeforeNftablesDoesNotHaveTheMode() throws IOException {
    String file = file(V1 + "mode: nftables\nclusterCIDR: 10.0.0.0/8\n");
    for (String release : List.of("1.20", "1.28", "1.30")) {
      Result old = Shell.run("config", "validate", "--emulated-version", release, file);
      assertThat(old.status()).as(release).isEqualTo(1);
      assertThat(old.err()).contains(":3:1: mode: Invalid value: \"nftables\": must be iptables,");
    }
    String gate = V1 + "mode: nftables\nfeatureGates: {NFTablesProxyMode: true}\n";
    Result alpha = Shell.run("config", "validate", "--emulated-version=1.30", file(gate));
    assertThat(alpha.status()).as(alpha.err()).isZero();
    Result beta =
        Shell.run("config", "validate", "--emulated-version=1.31", file(V1 + "mode: nftables\n"));
    assertThat(beta.status()).as(beta.err()).isZero();
  }

  @Test
  void aWrongTypeHidesNothingElse() throws IOException {
    String file =
        file(
            V1
                + """
                mode: iptables
                oomScoreAdj: high
                clusterCIDR: 10
                conntrack: {min: -1}
                nodePortAddresses: [1, here]
                colour: blue
                ipvs: {strictARP: true}
                """);
    Result result = Shell.run("config", "validate", file);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err().lines().map(line -> line.replace(file, "f")))
        .containsExactly(
            "error: f:4:14: oomScoreAdj: expected an integer, found the text \"high\"; write it as"
                + " digits, without quotes or leading zeros",
            "error: f:5:14: clusterCIDR: expected text, found the number \"10\"; put it in quotes",
            "error: f:7:21: nodePortAddresses[0]: expected text, found the number \"1\"; put it in"
                + " quotes",
            "error: f:6:13: conntrack.min: Invalid value: -1: must be greater than or equal to 0",
            "error: f:7:24: nodePortAddresses[1]: Invalid value: \"here\": must be a valid CIDR or"
                + " one of the keywords 'primary', 'localhost', 'all'",
            "warning: f:8:1: colour: unknown field \"colour\", which is ignored; remove it",
            "warning: f:9:8: ipvs.strictARP: has no effect: it applies to mode ipvs, and the mode"
                + " is iptables; remove it",
            "portolan: f: not valid, 5 errors [PORT-101]");

    Result decisive = Shell.run("config", "validate", file(V2 + "mode: [x]\nsyncPeriod: -1s\n"));
    assertThat(decisive.status()).isEqualTo(2);
    assertThat(decisive.err()).hasLineCount(2).contains("mode: expected text");
  }

  @Test
  void aSectionNamesEachFieldOnceAndTheModeItsEnd() {
    assertThat(Shell.run("config", "explain", "linux").lines()).doesNotHaveDuplicates();
    assertThat(Shell.run("config", "explain", "mode").out())
        .contains("Mode ipvs is deprecated: it is off by default from 1.40");
    assertThat(Shell.run("config", "explain", "ipvs", "--emulated-version=1.43").out())
        .contains("Mode ipvs was removed in 1.43");
    assertThat(Shell.run("config", "explain", "ipvs", "--emulated-version=1.34").out())
        .doesNotContain("Mode ipvs");
    assertThat(Shell.run("config", "explain", "syncPeriod").out()).doesNotContain("Mode ipvs");
  }

  @Test
  void whatCannotBeReadEndsWithTwo() throws IOException {
    String missing = folder.resolve("none.yaml").toString();
    String latin = folder.resolve("latin.yaml").toString();
    Files.write(Path.of(latin), new byte[] {'a', ':', ' ', (byte) 0xe4});
    String long1 = folder.resolve("long.yaml").toString();
    Files.write(Path.of(long1), new byte[(1 << 20) + 1]);
    for (String command : List.of("convert", "validate")) {
      fails(command, missing, "portolan: " + missing + ": no such file");
      fails(command, folder.toString(), "portolan: " + folder + ": is a folder and has ");
      fails(command, latin, "portolan: " + latin + ": is not UTF-8; save it as UTF-8");
      fails(command, long1, "portolan: " + long1 + ": is larger than 1 MiB, so it is not a");
      fails(command, "\0", "portolan: \ufffd: no such file");
      fails(command, file(""), "error: " + folder.resolve("f.yaml") + ":1:1: the file is empty;");
    }
  }

  private static void fails(String command, String file, String message) {
    Result result = Shell.run("config", command, file);
    assertThat(result.status()).as(file).isEqualTo(2);
    assertThat(result.out()).as(file).isEmpty();
    assertThat(result.err()).as(file).startsWith(message);
  }

  @Test
  void hostileTextDoesNothingToATerminal() throws IOException {
    String file = file(V1 + "mode: \"\\e[2Jmagic\\u202e\"\n\"\\e]0;x\\a\": 1\n");
    for (Result result :
        List.of(
            Shell.run("config", "validate", file),
            Shell.run("config", "convert", file),
            Shell.run("config", "convert", "--diff", file),
            Shell.run("config", "explain", "\u001b[2J"))) {
      assertThat(result.out() + result.err()).doesNotContain("\u001b", "\u0007", "\u202e");
    }
  }

  @Test
  void defaultsAreAFileThatSaysNothingNew() throws IOException {
    for (String version : List.of("v1alpha1", "v1alpha2")) {
      Result defaults = Shell.run("config", "defaults", "--version", version);
      assertThat(defaults.status()).isZero();
      Result converted = Shell.run("config", "convert", "--to", version, file(defaults.out()));
      assertThat(converted.out())
          .isEqualTo(
              "apiVersion: kubeproxy.config.k8s.io/"
                  + version
                  + "\nkind: "
                  + "KubeProxyConfiguration\n");
    }
    Result wrong = Shell.run("config", "defaults", "--version", "v2");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err())
        .startsWith("portolan: --version: 'v2' is not allowed; write v1alpha1 or v1alpha2\n");
  }

  @Test
  void aFieldIsExplainedUnderBothNames() {
    Result old = Shell.run("config", "explain", "clusterCIDR");
    assertThat(old.status()).isZero();
    assertThat(old.out()).contains("clusterCIDR", "detectLocal.clusterCIDRs", "v1alpha2");
    Result none = Shell.run("config", "explain", "clusterCIRD");
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err()).startsWith("portolan: ").contains("clusterCIDR");
  }
}

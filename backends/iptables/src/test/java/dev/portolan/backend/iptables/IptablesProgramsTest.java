package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.net.IpFamily;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the host's programs are found, with scripts in their place. */
class IptablesProgramsTest {
  @TempDir Path folder;

  private IptablesOptions options(Variant variant) {
    return new IptablesOptions(
        14,
        true,
        variant,
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        1000,
        false,
        Optional.empty(),
        List.of(folder.resolve("empty"), folder));
  }

  /** Puts a list, a save and a restore program there; the last two are scripted. */
  private void install(String name, String version, String save, String restore)
      throws IOException {
    script(name, "echo '" + version + "'");
    script(name + "-save", save);
    script(name + "-restore", restore);
  }

  private void script(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private IptablesPrograms find(Variant variant) {
    return IptablesPrograms.find(options(variant), IpFamily.IPV4);
  }

  @Test
  void whereThereIsNoProgramThatIsSaidInASentence() {
    assertThatThrownBy(() -> new IptablesBackend(options(Variant.AUTO)))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "iptables: program not found: iptables-restore in %s, %s; install the package"
                + " iptables, or use another mode",
            folder.resolve("empty"), folder);
    assertThatThrownBy(() -> IptablesPrograms.find(options(Variant.LEGACY), IpFamily.IPV6))
        .hasMessageStartingWith("iptables: program not found: ip6tables-legacy-restore in ");
  }

  @Test
  void theHostsOwnKindIsUsed() throws IOException {
    install("iptables", "iptables v1.8.9 (legacy)", "true", "true");
    install("iptables-nft", "iptables v1.8.9 (nf_tables)", "true", "true");
    assertThat(find(Variant.AUTO).restore().path()).isEqualTo(folder.resolve("iptables-restore"));
    assertThat(find(Variant.NFT).restore().path())
        .isEqualTo(folder.resolve("iptables-nft-restore"));
    assertThat(find(Variant.LEGACY).restore().path())
        .as("the plain one is of that kind")
        .isEqualTo(folder.resolve("iptables-restore"));
    assertThat(find(Variant.AUTO)).hasToString(folder + "/iptables-restore 1.8.9 (legacy)");
  }

  @Test
  void theKindIsUsedInWhichTheKubeletLeftItsMark() throws IOException {
    install("iptables", "iptables v1.8.9 (legacy)", "true", "true");
    install("iptables-legacy", "iptables v1.8.9 (legacy)", "true", "true");
    install(
        "iptables-nft",
        "iptables v1.8.9 (nf_tables)",
        "echo '*mangle'; echo ':KUBE-IPTABLES-HINT - [0:0]'",
        "true");
    assertThat(find(Variant.AUTO).version().nft()).isTrue();
    script("iptables-nft-save", "echo '*mangle'; echo ':OTHER - [0:0]'");
    assertThat(find(Variant.AUTO).version().nft()).isFalse();
  }

  @Test
  void aMarkInOneFamilyStandsForBoth() throws IOException {
    for (String name : List.of("iptables", "ip6tables")) {
      install(name, name + " v1.8.9 (legacy)", "true", "true");
      install(name + "-legacy", name + " v1.8.9 (legacy)", "true", "true");
      install(name + "-nft", name + " v1.8.9 (nf_tables)", "true", "true");
    }
    script("iptables-nft-save", "echo '*mangle'; echo ':KUBE-IPTABLES-HINT - [0:0]'");
    for (IpFamily family : IpFamily.values()) {
      assertThat(IptablesPrograms.find(options(Variant.AUTO), family).version().nft())
          .as(family.toString())
          .isTrue();
    }
  }

  @Test
  void aKernelThatDoesNotTakePartIsNamed() throws IOException {
    install(
        "iptables",
        "iptables v1.8.9 (legacy)",
        "true",
        "cat > /dev/null; echo \"iptables-restore: unable to initialize table 'nat'\" >&2; exit 3");
    assertThatThrownBy(() -> find(Variant.AUTO).checked())
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "iptables: the kernel does not support %s/iptables-restore 1.8.9 (legacy):"
                + " iptables-restore: unable to initialize table 'nat'; load its modules, or use"
                + " the other variant or another mode",
            folder);
    script("iptables-restore", "echo 'Permission denied (you must be root)' >&2; exit 4");
    assertThatThrownBy(() -> find(Variant.AUTO).checked())
        .hasMessage(
            "iptables: not permitted; run as root or with CAP_NET_ADMIN and CAP_NET_RAW, which"
                + " iptables-legacy needs");
  }

  @Test
  void aLockFileThatCannotBeOpenedIsNoMatterOfTheKernel() throws IOException {
    install(
        "iptables",
        "iptables v1.8.9 (legacy)",
        "true",
        "cat > /dev/null; echo \"Fatal: can't open lock file /run/xtables.lock: Permission denied\""
            + " >&2; exit 4");
    assertThatThrownBy(() -> find(Variant.AUTO).checked())
        .hasMessage(
            "iptables: %s/iptables-restore 1.8.9 (legacy): Fatal: can't open lock file"
                + " /run/xtables.lock: Permission denied; make its folder writable, or mount the"
                + " file from the host (hostPath, type FileOrCreate)",
            folder);
  }

  @Test
  void anOldReleaseIsToldNothingThatItDoesNotKnow() throws IOException {
    install(
        "iptables",
        "iptables v1.6.1",
        "true",
        "cat > /dev/null; [ \"$*\" = '--noflush --test' ] || exit 9");
    IptablesPrograms old = find(Variant.AUTO).checked();
    assertThat(old.version().isModern()).isFalse();
    script("iptables", "echo 'iptables v1.6.2'");
    assertThatThrownBy(() -> find(Variant.AUTO).checked()).hasMessageContaining("status 9");
    assertThat(find(Variant.AUTO).version().isModern()).isTrue();
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() ->
            new IptablesOptions(
                32,
                true,
                Variant.AUTO,
                Duration.ZERO,
                Duration.ofSeconds(30),
                1000,
                false,
                Optional.empty(),
                List.of()))
        .hasMessage("the masquerade bit must be between 0 and 31, not 32");
  }
}

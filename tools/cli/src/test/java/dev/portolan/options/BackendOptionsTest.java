package dev.portolan.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.gates.Platform;
import dev.portolan.mode.ModeSettings;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.terminal.CommandFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Which backend is chosen, and which options belong to it; other sentences are sessions. */
final class BackendOptionsTest {
  private static BackendOptions options(String... words) {
    return CommandLine.populateCommand(new BackendOptions(), words);
  }

  private static ModeSettings file(String mode, String... more) {
    List<String> flags =
        new ArrayList<>(List.of("--proxy-mode=" + mode, "--cluster-cidr=10.0.0.0/8"));
    flags.addAll(List.of(more));
    return ModeConfiguration.of((StartPlan) Start.of(flags, name -> "", Platform.LINUX));
  }

  @Test
  void anOptionWinsOverTheFileAndTheFileOverTheDefault() {
    BackendOptions silent = options();
    assertThat(silent).hasToString("nftables");
    silent.follow(Optional.of(file("iptables")));
    assertThat(silent).hasToString("iptables");
    assertThat(silent.mode().name()).isEqualTo("iptables");

    BackendOptions named = options("--backend=ebpf");
    named.follow(Optional.of(file("iptables")));
    assertThat(named.mode().name()).isEqualTo("ebpf");
  }

  @Test
  void anOptionForTheBackendOfTheFileIsTaken() {
    BackendOptions options = options("--ipvs-scheduler=lc");
    assertThatThrownBy(options::mode)
        .isInstanceOf(CommandFailure.class)
        .hasMessage("--ipvs-scheduler is for --backend ipvs, but the backend is nftables");
    options.follow(Optional.of(file("ipvs")));
    assertThat(options.mode().name()).isEqualTo("ipvs");
  }

  @ParameterizedTest
  @CsvSource({
    "nftables, the rules stay in place ('portolan cleanup' removes them)",
    "userspace, services are refused until it runs again ('portolan cleanup' removes the rules)",
    "exec, ''"
  })
  void whatIsLeftWhenItStopsDependsOnIt(String backend, String left) {
    assertThat(options("--backend=" + backend).left()).isEqualTo(left);
  }

  @Test
  void aProxyThatListensLeavesNothing() {
    assertThat(options("--backend=userspace", "--portals=listen").left()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"--nftables-table=mine, mine", "'', portolan"})
  void aTableHasTheNameThatIsGiven(String option, String name) {
    BackendOptions options = option.isEmpty() ? options() : options(option);
    assertThat(options.rules(Optional.empty(), false).tables()).containsExactlyInAnyOrder(name);
  }
}

package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of the commands that know a kernel; every case here ends before one is touched. */
final class KernelOptionsTest {
  private static final String NOWHERE = "--netns=portolan-nowhere";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --backend=ipvs | --backend: 'ipvs' is not allowed; write nftables or iptables
          --nftables-table=a b | --nftables-table: 'a b' is not a valid table name: a letter, then letters, digits, '-' and '_', at most 63 characters
          --nftables-table=0x | --nftables-table: '0x' is not a valid table name: a letter, then letters, digits, '-' and '_', at most 63 characters
          --masquerade-bit=32 | --masquerade-bit: '32' must be a number between 0 and 31
          --iptables-masquerade-bit=-1 | --masquerade-bit: '-1' must be a number between 0 and 31
          --masquerade-bit=many | --masquerade-bit: 'many' must be a number between 0 and 31
          --family=ipx | --family: 'ipx' is not allowed; write ipv4 or ipv6
          --netns=x | Unknown option: '--netns=x'
          """)
  void aBadValueOfRenderIsNamed(String option, String sentence) {
    Result result = Shell.shop("worker-1", "render", option);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines()).first().isEqualTo("portolan: " + sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cleanup --backend=ipvs | 2 | --backend: 'ipvs' is not allowed; write nftables or iptables
          cleanup --nftables-table=- | 2 | --nftables-table: '-' is not a valid table name: a letter, then letters, digits, '-' and '_', at most 63 characters
          cleanup | 1 | --netns: no such network namespace: 'portolan-nowhere' (/run/netns/portolan-nowhere); 'ip netns list' lists those with a name [PORT-103]
          run | 2 | --from is required; write file:PATH for a manifest file or folder, kube for the cluster that kubectl uses, kube:KUBECONFIG, or api:ADDRESS for the cluster of a brain
          run --from=file:../examples/shop | 1 | --netns: no such network namespace: 'portolan-nowhere' (/run/netns/portolan-nowhere); 'ip netns list' lists those with a name [PORT-103]
          run --from=file:../examples/shop --backend=ebpf | 2 | --backend: 'ebpf' is not allowed; write nftables, iptables or exec
          demo --kep | 2 | Unknown option: '--kep'
          """)
  void aBadValueOfTheOthersIsNamed(String command, int status, String sentence) {
    Stream<String> nowhere = command.startsWith("demo") ? Stream.of() : Stream.of(NOWHERE);
    Result result =
        Shell.run(Stream.concat(Stream.of(command.split(" ")), nowhere).toArray(String[]::new));
    assertThat(result.status()).isEqualTo(status);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines()).first().isEqualTo("portolan: " + sentence);
  }
}

package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.util.ArrayList;
import java.util.List;
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
          --backend=xdp | --backend: 'xdp' is not allowed; write nftables, ebpf, userspace, iptables or ipvs
          --ipvs-scheduler=lc | --ipvs-scheduler is for --backend ipvs, but the backend is nftables
          --backend=ipvs --ipvs-udp-timeout=-3s | --ipvs-udp-timeout: '-3s' must be a duration such as 15m
          --backend=ipvs --ipvs-exclude-cidrs=10.9.0.0/16,here | --ipvs-exclude-cidrs: 'here' is not a valid CIDR
          --backend=ipvs --nftables-table=x | --nftables-table is for --backend nftables, ebpf or userspace, but the backend is ipvs
          --nftables-table=a b | --nftables-table: 'a b' is not a valid table name: a letter, then letters, digits, '-' and '_', at most 63 characters
          --nftables-table=0x | --nftables-table: '0x' is not a valid table name: a letter, then letters, digits, '-' and '_', at most 63 characters
          --masquerade-bit=32 | --masquerade-bit: '32' must be a number between 0 and 31
          --iptables-masquerade-bit=-1 | --masquerade-bit: '-1' must be a number between 0 and 31
          --masquerade-bit=many | --masquerade-bit: 'many' must be a number between 0 and 31
          --backend=userspace --portals=tunnel | --portals: 'tunnel' is not allowed; write nftables or listen
          --backend=userspace --drain-timeout=soon | --drain-timeout: 'soon' must be a duration such as 15s
          --family=ipx | --family: 'ipx' is not allowed; write ipv4 or ipv6
          --iptables-variant=nft | --iptables-variant is for --backend iptables, but the backend is nftables
          --netns=x | unknown option '--netns'
          """)
  void aBadValueOfRenderIsNamed(String option, String sentence) {
    Result result = Shell.shop("worker-1", "render", option.split(" (?=--)"));
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines()).first().isEqualTo("portolan: " + sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cleanup --backend=xdp | 2 | --backend: 'xdp' is not allowed; write nftables, ebpf, userspace, iptables or ipvs
          cleanup --nftables-table=- | 2 | --nftables-table: '-' is not a valid table name: a letter, then letters, digits, '-' and '_', at most 63 characters
          cleanup | 2 | --netns: no such network namespace: 'portolan-nowhere' (/run/netns/portolan-nowhere); 'ip netns list' lists those with a name [PORT-103]
          run | 2 | --from is required; write file:PATH for a manifest file or folder, file:- for standard input, kube for the cluster that kubectl uses, kube:KUBECONFIG, api:ADDRESS for the cluster of a brain, or record:PATH[@TIME] for a recording
          run --from=file:../../examples/shop | 2 | --netns: no such network namespace: 'portolan-nowhere' (/run/netns/portolan-nowhere); 'ip netns list' lists those with a name [PORT-103]
          run --from=file:../../examples/shop --backend=xdp | 2 | --backend: 'xdp' is not allowed; write nftables, ebpf, userspace, iptables, ipvs or exec
          cleanup --nftables-table=x --backend=iptables | 2 | --nftables-table is for --backend nftables, ebpf or userspace, but the backend is iptables
          cleanup --force | 2 | --force needs --nftables-table: the tables to remove
          run --from=file:../../examples/shop --exec-mode=call | 2 | --exec-mode is for --backend exec, but the backend is nftables
          run --from=file:../../examples/shop --exec-no-answer --backend=iptables | 2 | --exec-no-answer is for --backend exec, but the backend is iptables
          run --from=file:../../examples/shop --backend=iptables --nftables-table=x | 2 | --nftables-table is for --backend nftables, ebpf or userspace, but the backend is iptables
          run --from=file:../../examples/shop --iptables-variant=legacy | 2 | --iptables-variant is for --backend iptables, but the backend is nftables
          run --from=file:../../examples/shop --backend=exec --conntrack-clean-tcp -- true | 2 | --conntrack-clean-tcp is for --backend nftables, ebpf, userspace, iptables or ipvs, but the backend is exec
          run --from=file:../../examples/shop --backend=exec --masquerade-bit=3 -- true | 2 | --masquerade-bit is for --backend nftables, ebpf, userspace, iptables or ipvs, but the backend is exec
          run --from=file:../../examples/shop --backend=iptables --force | 2 | --force is for --backend nftables, ebpf or userspace, but the backend is iptables
          run --from=file:../../examples/shop --backend=exec -- true | 2 | --netns: no such network namespace: 'portolan-nowhere' (/run/netns/portolan-nowhere); 'ip netns list' lists those with a name [PORT-103]
          run --from=file:../../examples/shop --portals=listen | 2 | --portals is for --backend userspace, but the backend is nftables
          run --from=file:../../examples/shop --backend=iptables --access-log | 2 | --access-log is for --backend userspace, but the backend is iptables
          demo --kep | 2 | unknown option '--kep'
          demo --backend=ipvs | 2 | --backend: 'ipvs' is not allowed; write nftables or userspace
          """)
  void aBadValueOfTheOthersIsNamed(String command, int status, String sentence) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    if (!command.startsWith("demo")) {
      words.add(1, NOWHERE);
    }
    Result result = Shell.run(words.toArray(String[]::new));
    assertThat(result.status()).isEqualTo(status);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines()).first().isEqualTo("portolan: " + sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --netns= | --netns: '' must be a name in 'ip netns list', or a path
          --netns=/etc/passwd | --netns: '/etc/passwd' is not a network namespace: cannot enter network namespace /etc/passwd: EINVAL: invalid [PORT-103]
          """)
  void aNamespaceThatIsNoneIsAMistake(String option, String sentence) {
    for (String command :
        List.of("cleanup", "run --from=file:../../examples/shop --node=worker-1")) {
      List<String> words = new ArrayList<>(List.of(command.split(" ")));
      words.add(option);
      Result result = Shell.run(words.toArray(String[]::new));
      assertThat(result.status()).isEqualTo(2);
      assertThat(result.err().lines()).first().isEqualTo("portolan: " + sentence);
    }
  }
}

package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OptionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --cluster-cidr=10.0.0/8 | --cluster-cidr: '10.0.0/8' is not a valid CIDR such as 10.244.0.0/16 or fd00:10:244::/56
          --cluster-cidr=10.0.0.0/8,11.0.0.0/8 | --cluster-cidr: '11.0.0.0/8' is a second IPv4 range; give one per family
          --detect-local-mode=nodecidr | --detect-local-mode: 'nodecidr' is not allowed; write ClusterCIDR, NodeCIDR, BridgeInterface or InterfaceNamePrefix
          --detect-local-mode=BridgeInterface | --detect-local-mode=BridgeInterface needs --pod-bridge-interface
          --detect-local-mode=InterfaceNamePrefix | --detect-local-mode=InterfaceNamePrefix needs --pod-interface-name-prefix
          --nodeport-addresses=eth0 | --nodeport-addresses: 'eth0' must be a CIDR such as 192.168.0.0/16, or primary, localhost or all
          --bind-address=here | --bind-address: 'here' is not a valid IP address such as 192.168.10.11 or fd00::11
          --bind-address=1.1.1.1,2.2.2.2 | --bind-address: '2.2.2.2' is a second IPv4 address; give one per family
          --masquerade-all=perhaps | --masquerade-all: 'perhaps' is not allowed; write true or false
          --output=xml | -o: 'xml' is not allowed; write table, wide, name, yaml, json, jsonpath=…, custom-columns=… or items
          pods | what to list: 'pods' is not allowed; write services (svc), endpoints (ep) or node (no), and names as in svc/web or services shop/web
          --clustr-cidr=10.0.0.0/8 | unknown option '--clustr-cidr'
          """)
  void aBadValueIsNamedWithWhatIsAllowed(String option, String sentence) {
    Result result = Shell.shop("worker-1", "show", option);

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines()).first().isEqualTo("portolan: " + sentence);
    assertThat(result.err()).endsWith("'portolan show --help' for usage.\n");
  }

  @Test
  void anInterfaceNameMustBeOne() {
    Result result =
        Shell.shop(
            "worker-1",
            "show",
            "--detect-local-mode=BridgeInterface",
            "--pod-bridge-interface=a/b");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .contains("--pod-bridge-interface: 'a/b' is not a valid interface name");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kube: | --from: 'kube:' has no kubeconfig file; write file:PATH for a manifest file or folder, file:- for standard input, kube for the cluster that kubectl uses, kube:KUBECONFIG, api:ADDRESS for the cluster of a brain, or record:PATH[@TIME] for a recording
          relay:prod | --from: unknown source 'relay'; write file:PATH for a manifest file or folder, file:- for standard input, kube for the cluster that kubectl uses, kube:KUBECONFIG, api:ADDRESS for the cluster of a brain, or record:PATH[@TIME] for a recording
          examples | --from: 'examples' does not start with a kind of source; write file:PATH for a manifest file or folder, file:- for standard input, kube for the cluster that kubectl uses, kube:KUBECONFIG, api:ADDRESS for the cluster of a brain, or record:PATH[@TIME] for a recording
          file: | --from: 'file:' has no path; write file:PATH for a manifest file or folder, file:- for standard input, kube for the cluster that kubectl uses, kube:KUBECONFIG, api:ADDRESS for the cluster of a brain, or record:PATH[@TIME] for a recording
          """)
  void anUnknownSourceIsNamedWithWhatExists(String from, String sentence) {
    Result result = Shell.run("show", "--from", from);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err().lines()).first().isEqualTo("portolan: " + sentence);
  }

  @Test
  void aFolderThatIsNotThereIsBadInput() {
    Result result = Shell.run("show", "--from", "file:/no/such/folder");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).startsWith("portolan: ").contains("/no/such/folder").hasLineCount(1);
  }

  @Test
  void podsAreToldAsTheOptionsSay() {
    assertThat(told()).isEqualTo("IPv4 source 10.244.1.0/24, IPv6 source fd00:10:244:1::/64");
    assertThat(told("--cluster-cidr", "10.0.0.0/8")).isEqualTo("IPv4 source 10.0.0.0/8, IPv6 none");
    assertThat(told("--cluster-cidr=10.0.0.0/8", "--detect-local-mode=NodeCIDR"))
        .startsWith("IPv4 source 10.244.1.0/24");
    assertThat(told("--detect-local-mode=BridgeInterface", "--pod-bridge-interface=cbr0"))
        .isEqualTo("IPv4 interface cbr0, IPv6 interface cbr0");
    assertThat(told("--detect-local-mode=InterfaceNamePrefix", "--pod-interface-name-prefix=cali"))
        .isEqualTo("IPv4 interface cali*, IPv6 interface cali*");
    assertThat(told("--cluster-cidr=", "--detect-local-mode="))
        .startsWith("IPv4 source 10.244.1.0/24");
  }

  @Test
  void aModeThatTellsNothingIsWarnedOf() {
    Result result = Shell.shop("worker-1", "show", "--detect-local-mode=ClusterCIDR");
    assertThat(result.status()).isZero();
    assertThat(result.err())
        .isEqualTo("warning: --detect-local-mode=ClusterCIDR needs --cluster-cidr\n");
  }

  @Test
  void nodePortsAreServedAsTheOptionsSay() {
    assertThat(fact("nodePorts served on"))
        .isEqualTo("IPv4 192.168.10.11/32, IPv6 fd00:192:168:10::11/128");
    assertThat(fact("nodePorts served on", "--nodeport-addresses=all"))
        .isEqualTo("IPv4 all, IPv6 all");
    assertThat(
            fact(
                "nodePorts served on",
                "--nodeport-addresses=10.0.0.0/8,fd00::/8",
                "--nodeport-addresses",
                "192.168.0.0/16"))
        .isEqualTo("IPv4 10.0.0.0/8 192.168.0.0/16, IPv6 fd00::/8");
  }

  @Test
  void theNodesAddressCanBeGiven() {
    assertThat(fact("primary addresses", "--bind-address", "10.9.9.9"))
        .isEqualTo("10.9.9.9, fd00:192:168:10::11");
    assertThat(fact("primary addresses", "--bind-address", "0.0.0.0")).startsWith("192.168.10.11");
    assertThat(fact("primary addresses", "--bind-address", "::")).startsWith("192.168.10.11");
  }

  @Test
  void booleansAreWrittenAsForKubeProxy() {
    assertThat(fact("masquerade all")).isEqualTo("no");
    assertThat(fact("masquerade all", "--masquerade-all")).isEqualTo("yes");
    assertThat(fact("masquerade all", "--masquerade-all=true")).isEqualTo("yes");
    assertThat(fact("masquerade all", "--masquerade-all=false")).isEqualTo("no");
  }

  @Test
  void hostnameOverrideNamesTheNode() {
    Result result = Shell.over(Shell.SHOP, "show", "node", "--hostname-override=worker-2");
    assertThat(result.lines()).contains("node                 worker-2");
  }

  private static String told(String... options) {
    return fact("pods recognized by", options);
  }

  private static String fact(String name, String... options) {
    Result result =
        Shell.shop(
            "worker-1",
            "show",
            Stream.concat(Stream.of("node"), Stream.of(options)).toArray(String[]::new));
    assertThat(result.status()).as(result.err()).isZero();
    return result.lines().stream()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length()).strip())
        .findFirst()
        .orElseThrow();
  }
}

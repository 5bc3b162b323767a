package dev.portolan.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.FieldTable;
import dev.portolan.testbase.Golden;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.text.Documents;
import dev.portolan.text.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the chart becomes, one file each in {@code golden}. With {@code -Dupdate} the files are
 * rewritten; review the changes.
 */
@NeedsBuilt("helm")
final class ChartTest {
  private static final Path GOLDEN = Path.of("workshop/tests/house/src/test/resources/golden");

  @ParameterizedTest
  @MethodSource("dev.portolan.deploy.Chart#all")
  void theObjectsAreAsTheyWere(Chart.Values values) throws IOException {
    Path file = GOLDEN.resolve(values.name() + ".yaml");
    String text = Chart.template(values.set());
    if (Golden.UPDATE) {
      Files.writeString(file, text);
    }
    assertThat(text).isEqualTo(Files.readString(file));
  }

  @ParameterizedTest
  @MethodSource("dev.portolan.deploy.Chart#all")
  void helmFindsNothingToComplainOf(Chart.Values values) {
    assertThat(Chart.helm("lint", values.set(), "--strict")).contains("0 chart(s) failed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          shape=ipvs | at '/shape': value must be one of 'own', 'takeover', 'brain'
          mode=xdp | at '/mode': value must be one of '', 'nftables', 'ebpf', 'userspace', 'iptables', 'ipvs'
          balancing=rr | at '/balancing': value must be one of '', 'random', 'maglev', 'maglev-address'
          shapes=own | additional properties 'shapes' not allowed
          nodeSocket=maybe | at '/nodeSocket': got string, want boolean
          brain.replicas=0 | at '/brain/replicas': minimum: got 0, want 1
          healthPort=70000 | at '/healthPort': maximum: got 70,000, want 65,535
          rollout.nodes=0 | at '/rollout/nodes'
          mode=nftables | shape own: apiServer is required; set it to the API server's own address, as in --set apiServer=https://10.0.0.10:6443
          apiServer=10.0.0.10 | apiServer: '10.0.0.10' is not valid; write an address such as https://10.0.0.10:6443
          clusterCIDR=10.244.0.0 | clusterCIDR: '10.244.0.0' is not valid; write a range such as 10.244.0.0/16
          clusterCIDR=10.244.0.0/33 | clusterCIDR: '10.244.0.0/33' is not valid; write a range such as 10.244.0.0/16
          clusterCIDR=10.244.0.256/24 | clusterCIDR: '10.244.0.256/24' is not valid
          clusterCIDR=fd00::/129 | clusterCIDR: 'fd00::/129' is not valid
          config.bogus=1 | at '/config': additional properties 'bogus' not allowed
          config.nftables.bogus=1 | at '/config/nftables': additional properties 'bogus' not allowed
          config.conntrack.min=many | at '/config/conntrack/min': got string, want integer
          metrics.bindAddress=everywhere:1 | metrics.bindAddress: 'everywhere:1' is not valid; write IP:PORT
          metrics.bindAddress=127.0.0.1:10249,metrics.service=true | metrics.bindAddress: Prometheus does not reach '127.0.0.1:10249'
          nodeTaint=a=b:NoSchedule | nodeTaint: 'a=b:NoSchedule' is not valid; write a key such as portolan.dev/not-ready
          config.mode=iptables | config.mode: use the value mode instead
          shape=takeover,mode=nftables | shape takeover: mode has no effect, because kubeadm's ConfigMap kube-proxy is used
          shape=brain,apiServer=https://10.0.0.10 | shape brain: nodes cannot find 'portolan-brain' without the cluster's DNS; set brain.addresses
          shape=brain,apiServer=https://10.0.0.10,brain.host=a.b,nodeTaint=x | shape brain: nodeTaint needs the right to patch Nodes
          """)
  void aWrongValueIsRefusedWithASentence(String set, String sentence) {
    assertThatThrownBy(() -> Chart.template(List.of(set))).hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "metrics.service=false | 127.0.0.1:10249",
        "metrics.service=true | 0.0.0.0:10249",
        "metrics.podMonitor.enabled=true | 0.0.0.0:10249",
        "metrics.service=true,metrics.bindAddress=192.0.2.1:9999 | 192.0.2.1:9999",
        "metrics.bindAddress=[fd00::1]:9999 | [fd00::1]:9999",
      })
  void metricsLeaveTheNodeWhereTheyAreAskedFor(String set, String address) {
    assertThat(Chart.template(List.of("apiServer=https://10.0.0.10:6443", set)))
        .containsPattern("metricsBindAddress: ['\"]?" + Pattern.quote(address) + "['\"]?\n");
  }

  @Test
  void theSchemaHasEveryFieldOfTheConfiguration() throws IOException {
    Path schema = Path.of("deploy/chart/portolan/values.schema.json");
    Value config = Documents.read(schema.toString(), Files.readString(schema)).getFirst();
    for (String name : List.of("properties", "config")) {
      config = entry(config, name);
    }
    Set<String> fields = new TreeSet<>();
    fields("", config, fields);
    assertThat(fields)
        .containsExactlyInAnyOrderElementsOf(FieldTable.paths(ConfigVersion.V1ALPHA1));
  }

  private static Value entry(Value mapping, String name) {
    return Objects.requireNonNull(((Value.Mapping) mapping).get(name));
  }

  private static void fields(String path, Value schema, Set<String> fields) {
    if (((Value.Mapping) schema).get("properties") == null) {
      fields.add(path);
      return;
    }
    ((Value.Mapping) entry(schema, "properties"))
        .entries()
        .forEach(entry -> {
          String name = entry.key().text();
          fields(path.isEmpty() ? name : path + "." + name, entry.value(), fields);
        });
  }

  @Test
  void aTakeoverIsForKubeSystem() {
    assertThatThrownBy(() -> Chart.helm("template", List.of("shape=takeover")))
        .hasMessageContaining(
            "kubeadm's kube-proxy is in kube-system; add --namespace kube-system");
  }

  @Test
  void theImageIsOfThisVersion() throws IOException {
    Matcher version =
        Pattern.compile("<revision>(.*?)(-SNAPSHOT)?</revision>")
            .matcher(Files.readString(Path.of("pom.xml")));
    assertThat(version.find()).isTrue();
    String own = version.group(1);
    assertThat(Files.readAllLines(Path.of("deploy/chart/portolan/Chart.yaml")))
        .contains("version: " + own, "appVersion: " + own);
    try (Stream<Path> files = Files.walk(Path.of("deploy/kustomize"))) {
      for (Path file : files.filter(path -> path.endsWith("kustomization.yaml")).toList()) {
        for (String line : Files.readAllLines(file)) {
          if (line.contains("newTag:") || line.contains("kube-proxy=portolan:")) {
            assertThat(line).as(file.toString()).contains(own);
          }
        }
      }
    }
  }
}

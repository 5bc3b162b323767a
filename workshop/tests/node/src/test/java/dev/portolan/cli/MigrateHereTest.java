package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.testbase.NeedsVm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What is said about a node whose IPVS serves. */
@NeedsVm
final class MigrateHereTest {
  private static final String CONFIG = Shell.EXAMPLES.resolve("kube-proxy/ipvs.yaml").toString();

  @AutoClose private final TestNamespace node = new TestNamespace();

  @Test
  void theVirtualServersOfTheNodeAreListed() {
    node.ip("link", "add", "kube-ipvs0", "type", "dummy");
    for (String address : List.of("10.96.20.6", "10.96.20.7", "10.96.20.8", "10.96.20.10")) {
      node.ip("address", "add", address + "/32", "dev", "kube-ipvs0");
    }
    node.runWithInput(
        """
        -A -t 10.96.20.6:9090 -s rr -p 600
        -a -t 10.96.20.6:9090 -r 10.244.1.9:9090 -m -w 1
        -A -t 10.96.20.7:80 -s rr
        -a -t 10.96.20.7:80 -r 10.244.1.2:8080 -m -w 5
        -A -t 10.96.20.8:443 -s rr
        -a -t 10.96.20.8:443 -r 10.244.1.2:8443 -m -w 1
        -A -t 10.96.20.10:80 -s sh
        -a -t 10.96.20.10:80 -r 10.244.1.2:8080 -m -w 1
        -a -t 10.96.20.10:80 -r 10.244.1.3:8080 -m -w 0
        -A -t 172.18.0.100:443 -s wlc
        -a -t 172.18.0.100:443 -r 172.18.0.1:443 -g -w 1
        -A -f 7 -s wlc
        """,
        "ipvsadm",
        "-R");
    Result text = migrate();
    assertThat(text.status()).isEqualTo(1);
    List<String> lines = text.lines();
    List<String> table =
        lines.subList(lines.indexOf("IPVS ON THIS NODE"), lines.indexOf("THE NEW CONFIGURATION"));
    assertThat(table)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
        .anySatisfy(line -> assertThat(line).startsWith("shop/cart").contains("affinity starts"))
        .anySatisfy(line -> assertThat(line).startsWith("shop/catalog").contains("equal chances"))
        .anySatisfy(line -> assertThat(line).startsWith("shop/web").contains(" sh "))
        .anySatisfy(line -> assertThat(line).contains("mark 7").contains("stays"))
        .contains("1 more virtual server has no connections; new ones will go to random endpoints");
    assertThat(text.out())
        .contains("this-node-ipvs-weights", "this-node-ipvs-hashing", "this-node-ipvs-others");

    Map<String, Object> tree = migrate("-o", "json").tree();
    assertThat(Shell.list(tree.get("ipvs")))
        .hasSize(6)
        .anySatisfy(server ->
            assertThat(server)
                .containsEntry("server", "tcp 10.96.20.6:9090")
                .containsEntry("services", List.of("shop/cart"))
                .containsEntry("owner", "proxy")
                .containsEntry("scheduler", "rr")
                .containsEntry("affinitySeconds", 600));
  }

  private Result migrate(String... more) {
    List<String> words =
        new ArrayList<>(
            List.of("migrate", "--here", "--config", CONFIG, "--from", "file:" + Shell.SHOP));
    words.addAll(List.of(more));
    return node.namespace().visit(() -> Shell.run(words.toArray(String[]::new)));
  }
}

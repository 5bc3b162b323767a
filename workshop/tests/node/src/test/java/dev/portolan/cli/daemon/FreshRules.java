package dev.portolan.cli.daemon;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.LocalMode;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.source.file.FileSource;
import dev.portolan.testkit.peers.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;

/**
 * The rules of a fresh start: what the API server lists now, read as files, decided in one step and
 * written into an empty namespace.
 */
record FreshRules(ControlPlane plane, Path folder, NodeSettings settings, int masqueradeBit) {
  /** What goes with {@link Host#flags}. */
  private static final NodeSettings SETTINGS =
      NodeSettings.DEFAULT
          .change()
          .localMode(LocalMode.CLUSTER_CIDR)
          .clusterCidrs(List.of(Cidr.of("10.128.0.0/9"), Cidr.of("fd20::/16")))
          .build();

  private static final Map<String, String> LISTS =
      Map.of(
          "services.json", "/api/v1/services",
          "nodes.json", "/api/v1/nodes",
          "slices.json", "/apis/discovery.k8s.io/v1/endpointslices",
          "cidrs.json", "/apis/networking.k8s.io/v1/servicecidrs");

  private static final Pattern BLOCK = Pattern.compile("\\s*(?:table|chain|map|set) .* \\{");
  private static final Pattern NUMBER = Pattern.compile(" \\. \\d+ : (\\S+ \\. \\d+)$");

  /** Fresh rules for daemons that run with {@link Host#flags}; {@code folder} is for files. */
  static FreshRules of(ControlPlane plane, Path folder) {
    return new FreshRules(plane, folder, SETTINGS, NftablesOptions.DEFAULT.masqueradeBit());
  }

  /** The rules for a node, as {@link #lines}. */
  List<String> compute(String node) throws IOException {
    for (Map.Entry<String, String> list : LISTS.entrySet()) {
      Files.writeString(folder.resolve(list.getKey()), plane.request("GET", list.getValue(), ""));
    }
    Brain brain = new Brain(warning -> {});
    try (NodeView view = brain.open(node, settings)) {
      brain.apply(read());
      return lines(ruleset(view.image()));
    }
  }

  private String ruleset(NodeImage image) {
    try (TestNamespace empty = new TestNamespace();
        NftablesBackend backend =
            new NftablesBackend(
                new NftablesOptions(
                    NftablesOptions.DEFAULT.table(), masqueradeBit, empty.path()))) {
      backend.sync(NodeChange.to(image));
      return empty.run("nft", "list", "ruleset");
    }
  }

  private ClusterImage read() {
    List<ClusterImage> read = new ArrayList<>();
    try {
      new FileSource(folder)
          .run(
              new Source.Sink() {
                @Override
                public void apply(ClusterImage cluster) {
                  read.add(cluster);
                  Thread.currentThread().interrupt();
                }

                @Override
                public void report(String problem) {
                  Assertions.fail(problem);
                }
              });
    } catch (InterruptedException e) {
      // The first state is all that is asked for.
    }
    return read.getFirst();
  }

  /**
   * A ruleset as sorted lines that do not depend on what was before: each names its block, and the
   * numbers of endpoints, which an endpoint keeps while others come and go, are left out.
   */
  static List<String> lines(String ruleset) {
    List<String> lines = new ArrayList<>();
    String table = "";
    String block = "";
    for (String line : ruleset.lines().filter(one -> !one.isBlank()).toList()) {
      if (line.startsWith("table ")) {
        table = line;
        block = table;
      } else if (BLOCK.matcher(line).matches()) {
        block = table + " " + line.strip();
      }
      String text = line.strip().replaceFirst("^elements = \\{ ", "").replaceFirst("( \\}|,)$", "");
      lines.add(block + " " + NUMBER.matcher(text).replaceFirst(" . * : $1"));
      if (line.equals("\t}")) {
        block = table;
      }
    }
    lines.sort(null);
    return lines;
  }
}

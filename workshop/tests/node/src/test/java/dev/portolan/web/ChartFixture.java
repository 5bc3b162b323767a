package dev.portolan.web;

import dev.portolan.brain.NodeSettings;
import dev.portolan.cli.chart.CommandAnswers;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.ManyServices;
import dev.portolan.web.http.FedChart;
import dev.portolan.wiring.ChartSubject;
import dev.portolan.wiring.ExplainedMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Charts as the program serves them: in all modes, with the answers of its commands. */
public final class ChartFixture {
  /** The example that the documentation uses. */
  public static final Path SHOP = RepositoryRoot.resolve("examples/shop");

  private static final List<ExplainedMode> MODES =
      KernelModes.ALL.stream()
          .map(mode ->
              new ExplainedMode(
                  NodeSettings.DEFAULT, mode.rules(ModeConfiguration.byDefault()).dataplane()))
          .toList();

  private ChartFixture() {}

  /** A chart of {@code examples/shop}. */
  public static FedChart shop() {
    return shop(subject -> subject);
  }

  /** The same, of a subject that the test changes. */
  public static FedChart shop(UnaryOperator<ChartSubject> change) {
    Manifests shop = Manifests.read(SHOP);
    return new FedChart(
        shop.image(),
        MODES,
        CommandAnswers::new,
        subject ->
            change.apply(subject.placed(object -> Optional.ofNullable(shop.places().get(object)))));
  }

  /** A chart of {@code cluster}. */
  public static FedChart of(ClusterImage cluster) {
    return new FedChart(cluster, MODES, CommandAnswers::new, subject -> subject);
  }

  /** A chart of a made-up cluster. */
  public static FedChart large(int services, int nodes) {
    return of(ManyServices.of(services, nodes));
  }
}

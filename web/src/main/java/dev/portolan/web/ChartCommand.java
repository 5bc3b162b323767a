package dev.portolan.web;

import dev.portolan.brain.Brain;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.node.Dataplane;
import dev.portolan.options.NodeSettingsOptions;
import dev.portolan.options.OwnVersion;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.text.TextException;
import dev.portolan.web.http.ChartException;
import dev.portolan.web.http.ChartListener;
import dev.portolan.web.http.ChartServer;
import dev.portolan.web.state.ChartSubject;
import dev.portolan.web.state.ExplainedMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a cluster in a browser. */
@Command(
    name = "chart",
    header = "Show services, nodes and what is decided for them in a browser.",
    customSynopsis = "portolan chart --from SOURCE [--listen ADDRESS]",
    sortOptions = false)
public final class ChartCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final SourceOptions source = new SourceOptions();

  @Option(names = "--listen", paramLabel = "ADDRESS", description = "Where to serve the page.")
  private String listen = "127.0.0.1:0";

  @Mixin private final NodeSettingsOptions settings = new NodeSettingsOptions();

  /** Prints to {@code terminal}. */
  public ChartCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Remarks remarks = new Remarks(terminal);
    settings.follow(source, remarks);
    DecisionSettings decided = settings.settings(List.of(), "", remarks);
    List<ExplainedMode> modes = new ArrayList<>();
    for (Dataplane dataplane : settings.dataplanes(remarks)) {
      modes.add(
          new ExplainedMode(
              settings.settings(List.of(), modes.isEmpty() ? "" : dataplane.name(), remarks).node(),
              dataplane));
    }
    Source cluster = source.open(remarks);
    Brain brain =
        new Brain(
            decided.cluster(), warning -> remarks.warn(warning, cluster.place(warning.object())));
    ChartSubject subject =
        ChartSubject.of(brain, modes, source.toString(), OwnVersion.text())
            .placed(cluster::place);
    ChartListener listener = ChartListener.parse(listen, Optional.empty(), Optional.empty());
    return StopSignal.during(terminal, () -> serve(listener, subject, cluster, remarks));
  }

  private int serve(ChartListener listener, ChartSubject subject, Source cluster, Remarks remarks) {
    try (ChartServer server = ChartServer.start(listener, subject, remarks::warn)) {
      terminal.print(server.url());
      terminal.out().flush();
      cluster.run(
          new Source.Sink() {
            @Override
            public void apply(ClusterImage newest) {
              subject.brain().apply(newest);
            }

            @Override
            public void report(String problem) {
              remarks.warn(problem);
            }
          });
      return 0;
    } catch (InterruptedException e) {
      return 0;
    } catch (ChartException e) {
      throw CommandFailure.refused(e.code(), Text.printable(String.valueOf(e.getMessage())));
    } catch (TextException e) {
      throw CommandFailure.input(e);
    }
  }
}

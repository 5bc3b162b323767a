package dev.portolan.inspection.top;

import dev.portolan.client.Connection;
import dev.portolan.core.text.GoDuration;
import dev.portolan.inspection.top.TopList.Order;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.NetworkNamespaceOption;
import dev.portolan.options.TlsOptions;
import dev.portolan.status.traffic.PortTraffic;
import dev.portolan.status.traffic.TrafficTotals;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.query.Output;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints services by their traffic, again and again. */
@Command(
    name = "top",
    header = "List the services of this node by their traffic, live.",
    customSynopsis = "portolan top [--api ADDRESS] [-n NAMESPACE] [--once] [-o FORMAT]",
    sortOptions = false,
    footerHeading =
        "%nThe daemon of this node is asked if it listens on /run/portolan/node.sock, else%nthe"
            + " counters of this node's kernel are read; they are there with the flag%n"
            + "--traffic-counters of the daemon. CONN/S are new connections that were sent to%nan"
            + " endpoint, REFUSED/S and DROPPED/S attempts to connect to a service that has%nnone,"
            + " CONNECTIONS all since the counting began. Bytes are counted in modes ipvs%nand"
            + " userspace.%n%nExamples:%n",
    footer = {
      "  portolan top",
      "  portolan top -n shop --every 5s",
      "  portolan top --once --sort refused -o json"
    })
public final class TopCommand implements Callable<Integer> {
  private static final int ROWS = 20;
  private static final List<String> ORDERS =
      Arrays.stream(Order.values()).map(order -> order.name().toLowerCase(Locale.ROOT)).toList();

  private final Terminal terminal;

  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();
  @Mixin private final NetworkNamespaceOption netns = new NetworkNamespaceOption();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Only the services of this namespace.")
  private String namespace = "";

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "How often to read the counts, as in 1s or 1m. Default: 2s.")
  private String every = "2s";

  @Option(names = "--once", description = "Print once, after the time of --every, and exit.")
  private boolean once;

  @Option(
      names = "--sort",
      paramLabel = "ORDER",
      description = "By what to sort: rate, total, refused, dropped, bytes or name. Default: rate.")
  private String order = "rate";

  @Option(
      names = "--rows",
      paramLabel = "COUNT",
      description =
          "How many services to print; 0: all. Tables have only those with traffic. Default: 20, and"
              + " all with -o json or yaml.")
  private int rows = -1;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, yaml, json or jsonpath=TEMPLATE. Default: table.")
  private String output = "table";

  private int drawn;

  /** Prints to {@code terminal}. */
  public TopCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form = Output.orTree(output, OutputFormat.TABLE);
    Order by = Order.valueOf(Choice.of("--sort", order, ORDERS).toUpperCase(Locale.ROOT));
    Duration period = period();
    if (rows < -1) {
      throw CommandFailure.usage("--rows: " + rows + " must be a number from 0 on; 0 is for all");
    }
    Remarks remarks = new Remarks(terminal);
    boolean asksKernel = netns.path().isPresent() || !(api.isNamed() || api.isDaemonThere());
    if (asksKernel) {
      if (api.isNamed()) {
        throw CommandFailure.usage(
            "--api and --netns are mutually exclusive: one asks a daemon, the other a kernel; use"
                + " only one");
      }
      return run(
          new TrafficSource.OfKernel(ModeConfiguration.byDefault().in(netns.path())),
          form,
          by,
          period);
    }
    try (Connection connection = api.connect(tls, remarks)) {
      return run(new TrafficSource.OfDaemon(connection), form, by, period);
    }
  }

  private Duration period() {
    return GoDuration.parse(every)
        .filter(time -> time.compareTo(Duration.ofMillis(100)) >= 0)
        .orElseThrow(() ->
            CommandFailure.usage(
                "--every: '"
                    + Text.printable(every)
                    + "' must be a time of at least 100ms, as in 2s or 1m"));
  }

  private int run(TrafficSource source, Output form, Order by, Duration period) {
    TrafficTotals totals = new TrafficTotals(0, InstantSource.system());
    return StopSignal.during(
        terminal,
        () -> {
          try {
            totals.add(source.read());
            List<PortTraffic> before = shown(totals);
            long then = System.nanoTime();
            do {
              Thread.sleep(period);
              totals.add(source.read());
              long now = System.nanoTime();
              List<PortTraffic> after = shown(totals);
              print(
                  TopList.between(before, after, Duration.ofNanos(now - then), Instant.now(), by),
                  form);
              before = after;
              then = now;
            } while (!once && !terminal.isClosed());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return 0;
        });
  }

  private List<PortTraffic> shown(TrafficTotals totals) {
    return totals.ports().stream()
        .filter(each -> namespace.isEmpty() || each.port().service().namespace().equals(namespace))
        .toList();
  }

  private void print(TopList list, Output form) {
    int most = rows >= 0 ? rows : form.isTree() ? 0 : ROWS;
    if (form.isTree()) {
      if (once) {
        form.print(list.tree(most), true, terminal);
      } else {
        form.printOneOfMany(list.tree(most), true, terminal);
      }
    } else {
      List<String> lines = list.lines(most, terminal);
      terminal.redraw(lines, drawn);
      drawn = lines.size();
    }
    terminal.out().flush();
  }
}

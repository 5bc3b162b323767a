package dev.portolan.cli.command;

import dev.portolan.api.v1.WaitRequest;
import dev.portolan.core.text.GoDuration;
import dev.portolan.decision.NodesWait;
import dev.portolan.decision.view.AwaitedNodes;
import dev.portolan.explain.Target;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.TlsOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.query.ResultTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Waits until every node has applied something. */
@Command(
    name = "wait",
    header = "Wait until every node has applied a change: an endpoint is out, a service is there.",
    customSynopsis = {
      "portolan wait [--api ADDRESS] --without IP:PORT [--timeout DURATION]",
      "       portolan wait [--api ADDRESS] --service NAMESPACE/NAME --endpoints N",
      "       portolan wait [--api ADDRESS] --revision N"
    },
    sortOptions = false,
    footerHeading =
        "%nAgainst a brain all nodes count, against a node's daemon that node. The decision has"
            + " to%nbe made first: the command waits for that, too. Every Node of the cluster must"
            + " have a%nbackend that reports, unless --nodes or --ignore-missing says"
            + " otherwise.%n%nExit status: 0 if every node is there, 1 if time ran out, 2 for a"
            + " mistake.%n%nExamples:%n",
    footer = {
      "  portolan wait --api tcp://brain:10260 --without 10.244.3.9:8080 --timeout 30s",
      "  portolan wait --service shop/web --endpoints 3",
      "  portolan wait --revision newest -o json"
    })
public final class WaitCommand implements Callable<Integer> {
  private static final String NEWEST = "newest";
  private static final Pattern VARIABLE = Pattern.compile("\\$\\(([A-Za-z_][A-Za-z0-9_]*)\\)");

  private final Terminal terminal;
  private final UnaryOperator<String> environment = System::getenv;

  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  @Option(
      names = "--without",
      paramLabel = "IP:PORT",
      split = ",",
      description =
          "No rule leads to this endpoint; an IP alone means all of its ports. $(NAME) is replaced"
              + " by the environment variable, because hooks of a pod don't do that.")
  private List<String> without = new ArrayList<>();

  @Option(
      names = "--service",
      paramLabel = "NAMESPACE/NAME[:PORT]",
      description = "This service, or one of its ports, has as many endpoints as --endpoints says.")
  private String service = "";

  @Option(
      names = "--endpoints",
      paramLabel = "N",
      description = "The number of endpoints; N+ means N or more.")
  private String endpoints = "";

  @Option(
      names = "--revision",
      paramLabel = "N",
      description =
          "This revision of the node, or a later one, as 'portolan nodes' counts them; 'newest'"
              + " means the newest of each node at this moment.")
  private String revision = "";

  @Option(
      names = "--nodes",
      paramLabel = "NODE,...",
      split = ",",
      description = "Wait for these nodes only. Default: every Node of the cluster.")
  private List<String> nodes = new ArrayList<>();

  @Option(
      names = "--ignore-missing",
      description = "Pass over nodes without a backend that reports. Their rules stay as they are.")
  private boolean ignoreMissing;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "How long to wait at most, as in 90s or 2m. Default: 30s.")
  private String timeout = "30s";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, yaml, json or jsonpath=TEMPLATE. Default: text.")
  private String output = "text";

  /** Prints to {@code terminal}. */
  public WaitCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form = Output.textOrTree(output);
    Duration longest =
        GoDuration.parse(timeout)
            .filter(time -> !time.isNegative() && !time.isZero())
            .orElseThrow(() ->
                CommandFailure.usage(
                    "--timeout: '"
                        + Text.printable(timeout)
                        + "' is not a valid duration; write one such as 30s, 90s or 2m"));
    Remarks remarks = new Remarks(terminal);
    NodesWait wait = new NodesWait(api, tls, request(), remarks);
    return StopSignal.during(terminal, () -> run(wait, longest, form, remarks));
  }

  private int run(NodesWait wait, Duration longest, Output form, Remarks remarks) {
    Optional<AwaitedNodes> last;
    try (Waiting _ = Waiting.announce(() -> progress(wait), remarks)) {
      last = wait.run(longest, nodes -> nodes.isDone(ignoreMissing));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CommandFailure.FAILED;
    }
    AwaitedNodes reached =
        last.orElseThrow(() ->
            CommandFailure.refused(
                "timed out after " + time(longest) + ": " + Text.printable(why(wait))));
    boolean done = reached.isDone(ignoreMissing);
    if (form.isTree()) {
      form.print(
          ResultTree.of("NodesAwaited", "wait", reached.tree(ignoreMissing)), true, terminal);
    } else if (done) {
      terminal.print(reached.count() + " " + goal() + reached.details());
    }
    if (!done) {
      throw CommandFailure.refused(timedOut(reached, longest));
    }
    return 0;
  }

  private String progress(NodesWait wait) {
    return wait.newest()
        .map(nodes ->
            nodes.synced()
                ? "waiting: " + nodes.count() + " " + goal()
                : "waiting for " + api + " to read its cluster")
        .orElse("waiting for " + api + " to answer");
  }

  private String why(NodesWait wait) {
    return wait.trouble().isEmpty() ? api + " does not answer" : wait.trouble();
  }

  private String timedOut(AwaitedNodes reached, Duration longest) {
    if (!reached.synced()) {
      return "timed out after " + time(longest) + ": " + api + " has not read its cluster yet";
    }
    List<String> lines = new ArrayList<>();
    lines.add("timed out after " + time(longest) + ": " + reached.count() + " " + goal());
    lines.addAll(reached.laggards());
    return String.join("\n", lines);
  }

  private static String time(Duration duration) {
    return GoDuration.format(duration);
  }

  /** What a node has that is there. */
  private String goal() {
    List<String> goals = new ArrayList<>();
    if (!without.isEmpty()) {
      goals.add("no rule to " + String.join(" or ", without.stream().map(this::expand).toList()));
    }
    if (!service.isEmpty()) {
      String number = endpoints.replace("+", " or more");
      goals.add(number + (number.equals("1") ? " endpoint" : " endpoints") + " for " + service);
    }
    if (!revision.isEmpty()) {
      goals.add(
          "applied " + (revision.equals(NEWEST) ? "the newest revision" : "revision " + revision));
    }
    return Text.printable(String.join(" and ", goals));
  }

  private WaitRequest request() {
    if (without.isEmpty() && service.isEmpty() && revision.isEmpty()) {
      throw CommandFailure.usage(
          "nothing to wait for; add --without IP:PORT, --service with --endpoints, or --revision");
    }
    if (service.isEmpty() != endpoints.isEmpty()) {
      throw CommandFailure.usage(
          "--service and --endpoints belong together, as in --service shop/web --endpoints 3");
    }
    WaitRequest.Builder request = WaitRequest.newBuilder().addAllNodes(nodes);
    for (String text : without) {
      request.addWithout(endpoint(expand(text)));
    }
    if (!service.isEmpty()) {
      if (!(Choice.read("--service", () -> Target.parse(service)) instanceof Target.OfService)) {
        throw CommandFailure.usage(
            "--service: '"
                + Text.printable(service)
                + "' is not a valid service; write NAMESPACE/NAME or NAMESPACE/NAME:PORT");
      }
      boolean orMore = endpoints.endsWith("+");
      String number = orMore ? endpoints.substring(0, endpoints.length() - 1) : endpoints;
      request
          .setService(service)
          .setEndpoints((int) number("--endpoints", number, Integer.MAX_VALUE))
          .setOrMore(orMore);
    }
    if (revision.equals(NEWEST)) {
      request.setNewest(true);
    } else if (!revision.isEmpty()) {
      request.setRevision(number("--revision", revision, Long.MAX_VALUE));
    }
    return request.build();
  }

  private static String endpoint(String text) {
    if (!(Choice.read("--without", () -> Target.parse(text)) instanceof Target.OfAddress)) {
      throw CommandFailure.usage(
          "--without: '"
              + Text.printable(text)
              + "' is not a valid endpoint; write IP:PORT, as in 10.244.3.9:8080 or"
              + " [fd00::9]:8080");
    }
    return text;
  }

  private static long number(String option, String text, long most) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw CommandFailure.usage(
        option + ": '" + Text.printable(text) + "' is not a valid number; write one from 0 on");
  }

  /** Puts in environment variables, which an exec hook does not; IPv6 addresses in brackets. */
  private String expand(String text) {
    return VARIABLE
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(variable(found.group(1))));
  }

  private String variable(String name) {
    String value = environment.apply(name);
    if (value == null || value.isEmpty()) {
      throw CommandFailure.usage(
          "--without: the environment variable " + name + " is not set; set it in the container");
    }
    return value.contains(":") ? "[" + value + "]" : value;
  }
}

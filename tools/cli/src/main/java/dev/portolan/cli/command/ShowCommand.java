package dev.portolan.cli.command;

import dev.portolan.api.localv1.OpItem;
import dev.portolan.client.Connection;
import dev.portolan.client.Subscription;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.node.NodeImage;
import dev.portolan.decision.Follower;
import dev.portolan.decision.LocalDecision;
import dev.portolan.decision.NodeChoice;
import dev.portolan.decision.NodeRevisions;
import dev.portolan.decision.RemoteDecision;
import dev.portolan.decision.RemoteFollower;
import dev.portolan.decision.view.ItemPrinter;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.NodeOptions;
import dev.portolan.options.OutputOptions;
import dev.portolan.options.SelectionOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.query.LabelSelector;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.view.Excerpt;
import dev.portolan.terminal.view.LabelledServices;
import dev.portolan.terminal.view.ListingRequest;
import dev.portolan.terminal.view.ListingStyle;
import dev.portolan.terminal.view.NodeListing;
import dev.portolan.terminal.view.RevisionPrinter;
import dev.portolan.terminal.view.ServiceFilter;
import dev.portolan.wiring.Visitor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints what was decided for a node. */
@Command(
    name = "show",
    header = "Print the decisions for a node: services, endpoints, or the node itself.",
    customSynopsis = {
      "portolan show --from SOURCE [--node NODE] [WHAT]",
      "       portolan show [--api ADDRESS] [--node NODE] [WHAT]"
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  portolan show --from file:examples/shop --node worker-1",
      "  portolan show --from file:examples/shop --node worker-1 svc/web",
      "  portolan show --from file:examples/shop --node worker-1 endpoints -n shop",
      "  portolan show --from file:examples/shop --node worker-2 node -o yaml"
    })
public final class ShowCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "0..*",
      paramLabel = "WHAT",
      hideParamSyntax = true,
      description =
          "services (svc), endpoints (ep) or node (no), then names: web is that service in any"
              + " namespace or that of -n, shop/web that of shop. Also svc/web. Default: all"
              + " services.")
  private List<String> words = List.of();

  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final NodeOptions node = new NodeOptions();
  @Mixin private final SelectionOptions selection = new SelectionOptions();
  @Mixin private final OutputOptions output = new OutputOptions();

  @Option(
      names = {"-w", "--watch"},
      description =
          "Keep running and print what each revision changes. -o items with --api: each item as the"
              + " server sends it.")
  private boolean watch;

  @Option(names = "--follow", hidden = true)
  private boolean follow;

  /** Prints to {@code terminal}. */
  public ShowCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ListingRequest wanted = ListingRequest.parse(words);
    Output form = output.output(OutputFormat.ITEMS);
    ListingStyle style = output.style();
    ServiceFilter filter = selection.filter(wanted.names());
    Remarks remarks = new Remarks(terminal);
    boolean remote = api.isAsked(source);
    if (form.format() == OutputFormat.ITEMS) {
      if (!remote || !(watch || follow)) {
        throw CommandFailure.usage("-o items needs --api and --watch; use json otherwise");
      }
      ItemPrinter printer = new ItemPrinter(terminal);
      followBrain(printer, printer, remarks);
      return 0;
    }
    Optional<LabelSelector> labels = selection.selector();
    if (watch || follow) {
      Backend all = new RevisionPrinter(wanted.listing(), form, style, filter, terminal);
      Backend printer =
          labels.<Backend>map(selector -> new LabelledServices(selector, all)).orElse(all);
      if (remote) {
        followBrain(printer, item -> {}, remarks);
      } else {
        follow(printer, remarks);
      }
      return 0;
    }
    NodeImage image = remote ? askBrain(remarks) : decide(remarks);
    Excerpt excerpt =
        Excerpt.of(
            labels.map(selector -> LabelledServices.of(image, selector)).orElse(image), filter);
    if (wanted.listing() != NodeListing.NODE) {
      refuseIfMissing(excerpt, filter, remote ? api : source);
    }
    if (form.isTree()) {
      form.print(wanted.listing().result(excerpt, style), style.titles(), terminal);
    } else {
      terminal.print(wanted.listing().lines(excerpt, style, terminal));
    }
    return 0;
  }

  /** Decides here; where labels count, services come with theirs. */
  private NodeImage decide(Remarks remarks) {
    if (selection.selector().isEmpty()) {
      return LocalDecision.read(source, node, "", remarks).image();
    }
    source.keepMetadata();
    return LocalDecision.read(source, node, "", remarks).described();
  }

  private static void refuseIfMissing(Excerpt excerpt, ServiceFilter filter, Object where) {
    String namespace =
        filter.namespace().map(name -> " in namespace '" + Text.printable(name) + "'").orElse("");
    for (String name : filter.names()) {
      if (excerpt.services().stream().noneMatch(service -> filter.matches(name, service.name()))) {
        throw CommandFailure.missing(
            "no service '"
                + Text.printable(name)
                + "'"
                + (name.contains("/") ? "" : namespace)
                + " of "
                + where
                + " is served; of one that exists 'portolan explain' says why");
      }
    }
    if (!namespace.isEmpty() && excerpt.services().isEmpty()) {
      throw CommandFailure.missing("no service" + namespace + " of " + where);
    }
  }

  private void follow(Backend printer, Remarks remarks) {
    boolean labelled = selection.selector().isPresent();
    node.follow(source, remarks);
    DecisionSettings settings = node.settings("", remarks);
    NodeChoice choice = NodeChoice.of(source, node, remarks);
    NodeRevisions revisions = new NodeRevisions(choice, settings.node(), labelled, printer);
    Source cluster = source.open(remarks, options -> options.withMetadata(labelled));
    new Follower(cluster, settings.cluster(), revisions, terminal, remarks).run();
  }

  private NodeImage askBrain(Remarks remarks) {
    Subscription subscription = subscription();
    try (Connection connection = api.connect(source.tls(), remarks)) {
      return RemoteDecision.read(connection, subscription, remarks);
    }
  }

  private void followBrain(Backend states, Consumer<OpItem> items, Remarks remarks) {
    Subscription subscription = subscription();
    try (Connection connection = api.connect(source.tls(), remarks)) {
      new RemoteFollower(connection, states, items, terminal, remarks).run(subscription);
    }
  }

  private Subscription subscription() {
    return Subscription.of(node.nodeOfBrain().orElse(""))
        .clientName(Visitor.SHOW.toString())
        .metadata(selection.selector().isPresent());
  }
}

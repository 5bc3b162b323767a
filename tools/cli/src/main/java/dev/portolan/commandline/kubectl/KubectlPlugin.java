package dev.portolan.commandline.kubectl;

import dev.portolan.commandline.kubectl.KubectlProgram.Ended;
import dev.portolan.commandline.kubectl.KubectlProgram.Listing;
import dev.portolan.commandline.kubectl.KubectlProgram.Pod;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.text.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Runs a command line of {@code kubectl portolan}. */
public final class KubectlPlugin {
  /** The hidden command that {@code kubectl-portolan} starts. */
  public static final String NAME = "kubectl";

  /** Both hidden commands: {@code kubectl_complete-portolan} starts the second. */
  public static final Set<String> NAMES = Set.of(NAME, "kubectl-complete");

  /** Commands that a node's daemon answers; {@code doctor} only there. */
  private static final Set<String> ASK_NODE = Set.of("show", "explain", "doctor");

  /** Commands that a brain answers. */
  private static final Set<String> ASK_BRAIN = Set.of("nodes", "wait");

  /** Options that mean the same on the node; with others, the decision is made here. */
  private static final Set<String> ASKABLE =
      Set.of(
          "--all-namespaces",
          "--client",
          "--color",
          "--from-pod",
          "--namespace",
          "--no-headers",
          "--output",
          "--proxy-mode",
          "--sort-by",
          "--watch");

  /** How many pods are looked at to find one that runs. */
  private static final int SOME = 50;

  private static final String OWN = "app.kubernetes.io/name=portolan";

  private final Terminal terminal;
  private final CommandLine commands;
  private final String program;

  /**
   * A plugin with some of the commands of {@code all}.
   *
   * @param program how kubectl is called
   */
  public KubectlPlugin(CommandLine all, Terminal terminal, String program) {
    this.terminal = terminal;
    this.commands = PluginTexts.adapt(all);
    this.program = program;
  }

  /** Runs the words behind {@code kubectl portolan}; returns the exit status. */
  public int run(List<String> typed) {
    List<String> words = PluginWords.commandFirst(typed);
    if (words.isEmpty()) {
      commands.usage(terminal.out());
      return 0;
    }
    if (words.getFirst().equals("help") && words.size() > 1) {
      words = plus(words.subList(1, words.size()), "--help");
    }
    Optional<ParseResult> parsed = parsed(words);
    if (parsed.isEmpty()) {
      return commands.execute(words.toArray(String[]::new));
    }
    try {
      return answer(parsed.get(), words);
    } catch (CommandFailure e) {
      terminal.remark("portolan: " + e.sentence());
      return e.status();
    }
  }

  /** Prints what could come next, in the form that kubectl's own completion has. */
  public int complete(List<String> typed) {
    List<String> before = new ArrayList<>(typed);
    // The word that is being typed, and the option that it is for.
    if (!before.isEmpty()) {
      before.removeLast();
    }
    if (!before.isEmpty() && PluginWords.CONNECTION.contains(before.getLast())) {
      before.removeLast();
    }
    return new PluginCompletion(commands, kubectl(before), terminal).run(typed);
  }

  private KubectlProgram kubectl(List<String> words) {
    return new KubectlProgram(program, PluginWords.connection(words));
  }

  /** What was typed, if it is a question: neither wrong nor a call for help. */
  private Optional<ParseResult> parsed(List<String> words) {
    try {
      ParseResult all = commands.parseArgs(words.toArray(String[]::new));
      return all.hasSubcommand() && !all.subcommand().isUsageHelpRequested()
          ? Optional.of(all.subcommand())
          : Optional.empty();
    } catch (ParameterException e) {
      return Optional.empty();
    }
  }

  private int answer(ParseResult line, List<String> words) {
    String command = line.commandSpec().name();
    boolean isGiven = isGiven(line, "--from") || isGiven(line, "--api");
    if (!isGiven && ASK_NODE.contains(command)) {
      return askNode(line, withNamespace(line, words));
    }
    if (!isGiven && ASK_BRAIN.contains(command)) {
      return askBrain(words);
    }
    return decide(line, words, "");
  }

  private static boolean isGiven(ParseResult line, String option) {
    return line.hasMatchedOption(option);
  }

  /** As kubectl does, the namespace of the context is meant where none is named. */
  private List<String> withNamespace(ParseResult line, List<String> words) {
    if (line.commandSpec().findOption("--namespace") == null
        || isGiven(line, "--namespace")
        || isGiven(line, "--all-namespaces")
        || line.matchedPositionals().stream()
            .flatMap(names -> names.originalStringValues().stream())
            .skip(1)
            .anyMatch(name -> name.contains("/"))) {
      return words;
    }
    return plus(words, "--namespace=" + kubectl(words).namespace());
  }

  private int askNode(ParseResult line, List<String> words) {
    KubectlProgram kubectl = kubectl(words);
    boolean isOnlyThere = line.commandSpec().name().equals("doctor");
    if (!isOnlyThere && !isAskable(line)) {
      return decide(line, words, isGiven(line, "--all-nodes") ? "" : node(line, kubectl));
    }
    String named = node(line, kubectl);
    if (isOnlyThere && named.isEmpty()) {
      throw CommandFailure.usage("doctor checks a node: specify which with --node");
    }
    Listing pods = daemons(kubectl, named);
    Optional<Pod> daemon =
        pods instanceof Listing.Found(List<Field> items) ? first(items) : Optional.empty();
    String node = named.isEmpty() ? daemon.map(Pod::node).orElse("") : named;
    if (named.isEmpty() && node.isEmpty()) {
      node = firstNode(kubectl);
    }
    if (named.isEmpty() && !node.isEmpty()) {
      terminal.remark("as node " + Text.printable(node) + " sees it; --node chooses another");
    }
    String place = node.isEmpty() ? "any node" : "node " + node;
    String trouble =
        pods instanceof Listing.Failed(String reason)
            ? reason
            : "no pod of Portolan runs on " + place;
    if (daemon.isPresent()) {
      Ended ended = exec(kubectl, daemon.get(), "kube-proxy", PluginWords.withoutConnection(words));
      if (isAnswer(ended)) {
        return ended.status();
      }
      trouble = daemon.get() + ": " + ended.reason();
    }
    if (isOnlyThere) {
      throw CommandFailure.refused(
          "cannot check node " + Text.printable(node) + ": " + Text.printable(trouble));
    }
    Optional<Pod> brain = brain(kubectl);
    if (brain.isPresent() && !node.isEmpty()) {
      // Where nodes only ask a brain, that has decided.
      Ended ended =
          exec(
              kubectl,
              brain.get(),
              "brain",
              plus(PluginWords.withoutConnection(words), PluginWords.NODE + "=" + node));
      if (isAnswer(ended)) {
        return ended.status();
      }
      trouble = trouble + "; " + brain.get() + ": " + ended.reason();
    }
    terminal.remark(
        "the daemon was not asked ("
            + Text.printable(trouble)
            + "); this is decided again from the API server");
    return decide(line, words, node);
  }

  /** Whether the daemon of a node can be asked just this. */
  private static boolean isAskable(ParseResult line) {
    return line.matchedOptions().stream()
        .allMatch(option ->
            Stream.of(option.names())
                .anyMatch(name ->
                    ASKABLE.contains(name)
                        || PluginWords.CONNECTION.contains(name)
                        || name.equals(PluginWords.NODE)));
  }

  private int askBrain(List<String> words) {
    KubectlProgram kubectl = kubectl(words);
    Pod brain =
        brain(kubectl)
            .orElseThrow(() ->
                CommandFailure.missing(
                    "no brain was found in this cluster (no running pod that you may list has"
                        + " its labels); install the shape 'brain', or name one with --api"));
    Ended ended = exec(kubectl, brain, "brain", PluginWords.withoutConnection(words));
    if (!isAnswer(ended)) {
      throw CommandFailure.refused("cannot ask " + brain + ": " + Text.printable(ended.reason()));
    }
    return ended.status();
  }

  private static Optional<Pod> brain(KubectlProgram kubectl) {
    return kubectl.list("/api/v1/pods", OWN + ",app.kubernetes.io/component=brain", "", SOME)
            instanceof Listing.Found(List<Field> items)
        ? first(items)
        : Optional.empty();
  }

  /** Runs the command here. */
  private int decide(ParseResult line, List<String> words, String node) {
    List<String> all = new ArrayList<>(words);
    if (line.commandSpec().findOption("--from") != null
        && !isGiven(line, "--from")
        && !isGiven(line, "--api")) {
      all.add("--from=kube");
    }
    if (!node.isEmpty() && !isGiven(line, PluginWords.NODE) && !isGiven(line, "--from-pod")) {
      all.add(PluginWords.NODE + "=" + node);
    }
    return commands.execute(all.toArray(String[]::new));
  }

  /** The node that was named, or that of the pod that was; empty if neither was. */
  private static String node(ParseResult line, KubectlProgram kubectl) {
    if (isGiven(line, PluginWords.NODE)) {
      return text(line, PluginWords.NODE);
    }
    if (!isGiven(line, "--from-pod")) {
      return "";
    }
    String pod = text(line, "--from-pod");
    int slash = pod.indexOf('/');
    String namespace =
        slash >= 0
            ? pod.substring(0, slash)
            : isGiven(line, "--namespace") ? text(line, "--namespace") : kubectl.namespace();
    Listing pods =
        kubectl.list(
            "/api/v1/namespaces/" + namespace + "/pods",
            "",
            "metadata.name=" + pod.substring(slash + 1),
            1);
    return pods instanceof Listing.Found(List<Field> items) && !items.isEmpty()
        ? KubectlProgram.pod(items.getFirst()).node()
        : "";
  }

  private static String text(ParseResult line, String option) {
    ArgSpec spec = line.matchedOption(option);
    return spec == null ? "" : String.join(",", spec.originalStringValues());
  }

  /** The daemons of {@code node}, or some of any node: those of our own names, else kubeadm's. */
  private static Listing daemons(KubectlProgram kubectl, String node) {
    String fields = node.isEmpty() ? "" : "spec.nodeName=" + node;
    Listing own =
        kubectl.list("/api/v1/pods", OWN + ",app.kubernetes.io/component=node", fields, SOME);
    return own instanceof Listing.Found(List<Field> items) && first(items).isEmpty()
        ? kubectl.list("/api/v1/pods", "k8s-app=kube-proxy", fields, SOME)
        : own;
  }

  private static Optional<Pod> first(List<Field> pods) {
    return pods.stream()
        .map(KubectlProgram::pod)
        .filter(Pod::isRunning)
        .min(Comparator.comparing(Pod::node).thenComparing(Pod::name));
  }

  private static String firstNode(KubectlProgram kubectl) {
    return kubectl.list("/api/v1/nodes", "", "", 1) instanceof Listing.Found(List<Field> items)
            && !items.isEmpty()
        ? items.getFirst().at("metadata").at("name").text("")
        : "";
  }

  private Ended exec(KubectlProgram kubectl, Pod pod, String container, List<String> words) {
    List<String> there = words;
    if (terminal.colours() && there.stream().noneMatch(word -> word.startsWith("--color"))) {
      there = plus(there, "--color=always");
    }
    Ended ended = kubectl.exec(pod, container, there, terminal);
    if (isAnswer(ended)) {
      ended.errors().forEach(terminal::remark);
    }
    return ended;
  }

  /** Whether Portolan ran in the pod: 1 is an answer too, anything else means that it could not. */
  private static boolean isAnswer(Ended ended) {
    return ended.status() == 0 || ended.remote().equals(Optional.of(CommandFailure.FAILED));
  }

  private static List<String> plus(List<String> words, String word) {
    List<String> all = new ArrayList<>(words);
    all.add(word);
    return all;
  }
}

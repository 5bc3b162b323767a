package dev.portolan.commandline.kubectl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Makes of Portolan's commands those of the plugin: fewer, and with texts for users of kubectl. */
final class PluginTexts {
  private static final String PROGRAM = "kubectl portolan";

  /** What is about a cluster; the rest of Portolan is about the machine that it runs on. */
  private static final Set<String> COMMANDS =
      Set.of(
          "show", "explain", "render", "nodes", "wait", "doctor", "config", "migrate", "version",
          "help");

  /** Options that mean something else here. */
  private static final Map<String, String> MEANINGS =
      Map.of(
          "--kubeconfig",
          "The kubeconfig file. Default: as kubectl.",
          "--context",
          "The kubeconfig's context. Default: its current one.",
          "--as",
          "The user to impersonate.",
          "--as-group",
          "A group to impersonate; can be repeated.",
          "--namespace",
          "The namespace. Default: that of the kubeconfig's context.",
          PluginWords.NODE,
          "The node whose daemon is asked. Default: any node on which a daemon runs.",
          "--from",
          "Ask no daemon, but decide again from what this has: kube, the API server; file:PATH,"
              + " manifests. Can be repeated.");

  private PluginTexts() {}

  /** Changes {@code all}, which is returned. */
  static CommandLine adapt(CommandLine all) {
    all.setCommandName(PROGRAM);
    CommandSpec root = all.getCommandSpec();
    for (String name : List.copyOf(root.subcommands().keySet())) {
      if (!COMMANDS.contains(name)) {
        root.removeSubcommand(name);
      }
    }
    rewrite(root);
    root.usageMessage()
        .footer(
            "  kubectl portolan show -A",
            "  kubectl portolan explain -n shop web",
            "  kubectl portolan explain -n shop web --from-pod cart-7d9f",
            "  kubectl portolan doctor --node worker-1",
            "",
            "The daemon of the node answers, through 'kubectl exec'. If it cannot be",
            "asked, the decision is made again here, from what the API server has.",
            "",
            "Run 'kubectl portolan help COMMAND' for more about a command.");
    return all;
  }

  private static void rewrite(CommandSpec spec) {
    UsageMessageSpec texts = spec.usageMessage();
    texts.customSynopsis(rewritten(texts.customSynopsis()));
    texts.footer(rewritten(texts.footer()));
    texts.footerHeading(rewritten(texts.footerHeading()));
    List<OptionSpec> options = List.copyOf(spec.options());
    options.forEach(spec::remove);
    options.forEach(option -> spec.addOption(reworded(option)));
    if (Set.of("nodes", "wait", "doctor").contains(spec.name())) {
      for (String name : List.of("--kubeconfig", "--context", "--as", PluginWords.NODE)) {
        add(spec, name);
      }
    }
    for (CommandLine below : spec.subcommands().values()) {
      rewrite(below.getCommandSpec());
    }
  }

  /** Lines that become equal are printed once; those after the first of a synopsis are indented. */
  private static String[] rewritten(String[] lines) {
    List<String> kept = new ArrayList<>();
    for (String line : lines) {
      String text = rewritten(line);
      if (text.isBlank() || kept.stream().noneMatch(other -> other.strip().equals(text.strip()))) {
        kept.add(text);
      }
    }
    return kept.toArray(String[]::new);
  }

  private static String rewritten(String line) {
    return line.replace("[--from SOURCE|--api ADDRESS] ", "")
        .replace("[--api ADDRESS] ", "")
        .replace("--from SOURCE ", "")
        .replace("--from file:examples/shop ", "")
        .replaceAll(" --api unix:///run/portolan/\\w+[.]sock", "")
        .replaceAll("(^|[ '])portolan (?=[a-zC\\[])", "$1" + PROGRAM + " ");
  }

  /** Describes an option as the plugin uses it; options about a brain's address are hidden. */
  private static OptionSpec reworded(OptionSpec option) {
    String name = option.longestName();
    OptionSpec.Builder builder = OptionSpec.builder(option);
    for (String alias : option.names()) {
      String meaning = MEANINGS.get(alias);
      if (meaning != null) {
        builder.description(meaning);
      }
    }
    return builder
        .hidden(option.hidden() || name.equals("--api") || name.startsWith("--tls-"))
        .build();
  }

  /** What the plugin reads itself, where the command knows no such option. */
  private static void add(CommandSpec spec, String name) {
    if (spec.findOption(name) == null
        && (!name.equals(PluginWords.NODE) || spec.name().equals("doctor"))) {
      spec.addOption(
          OptionSpec.builder(name)
              .paramLabel(
                  name.equals("--kubeconfig") ? "FILE" : name.equals("--as") ? "USER" : "NAME")
              .type(String.class)
              .description(String.valueOf(MEANINGS.get(name)))
              .build());
    }
  }
}

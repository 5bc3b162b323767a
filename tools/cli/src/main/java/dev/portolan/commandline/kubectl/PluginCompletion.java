package dev.portolan.commandline.kubectl;

import dev.portolan.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Completes a command line of {@code kubectl portolan}, in the form that kubectl reads: one word
 * per line with a description behind a tab, then a directive. What the cluster has is kubectl's own
 * completion.
 */
final class PluginCompletion {
  /** The shell completes file names. */
  private static final String FILES = ":0";

  /** The shell completes nothing else. */
  private static final String NOTHING_ELSE = ":4";

  private static final Set<String> OF_KUBECTL = Set.of("-n", "--namespace", "--context", "--as");

  private final CommandLine commands;
  private final KubectlProgram kubectl;
  private final Terminal terminal;

  PluginCompletion(CommandLine commands, KubectlProgram kubectl, Terminal terminal) {
    this.commands = commands;
    this.kubectl = kubectl;
    this.terminal = terminal;
  }

  /** Prints what the last word of {@code typed} can become. */
  int run(List<String> typed) {
    String start = typed.isEmpty() ? "" : typed.getLast();
    List<String> before = PluginWords.commandFirst(typed.subList(0, Math.max(0, typed.size() - 1)));
    String previous = before.isEmpty() ? "" : before.getLast();
    CommandSpec command = commands.getCommandSpec();
    for (String word : before) {
      CommandLine next = command.subcommands().get(word);
      if (next == null) {
        break;
      }
      command = next.getCommandSpec();
    }
    OptionSpec option = previous.startsWith("-") ? command.findOption(previous) : null;
    if (option != null && option.arity().min() > 0) {
      value(option, previous, start, before);
    } else if (start.startsWith("-")) {
      options(command, start);
    } else if (!command.subcommands().isEmpty()) {
      subcommands(command, start);
    } else {
      positional(command.name(), start, before);
    }
    return 0;
  }

  private void value(OptionSpec option, String name, String start, List<String> before) {
    if (OF_KUBECTL.contains(name)) {
      ask("pods", List.of(name, start));
    } else if (name.equals(PluginWords.NODE)) {
      ask("nodes", List.of(start));
    } else if (name.equals("--from-pod")) {
      ask("pods", inNamespace(start, before));
    } else if (option.paramLabel().equals("FILE")) {
      terminal.print(FILES);
    } else {
      List<String> words = new ArrayList<>();
      if (option.completionCandidates() != null) {
        option.completionCandidates().forEach(words::add);
      }
      print(words, start);
    }
  }

  private void options(CommandSpec command, String start) {
    List<String> words = new ArrayList<>();
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        words.add(option.longestName() + "\t" + firstSentence(option.description()));
      }
    }
    print(words, start);
  }

  private void subcommands(CommandSpec command, String start) {
    List<String> words = new ArrayList<>();
    command
        .subcommands()
        .forEach((name, line) ->
            words.add(name + "\t" + firstSentence(line.getCommandSpec().usageMessage().header())));
    print(words, start);
  }

  private void positional(String command, String start, List<String> before) {
    switch (command) {
      case "explain" -> ask("services", inNamespace(start, before));
      case "show" -> {
        if (before.size() > 1
            && Set.of("services", "svc", "endpoints", "ep").contains(before.get(1))) {
          ask("services", inNamespace(start, before));
        } else {
          print(List.of("services", "endpoints", "node"), start);
        }
      }
      case "help" -> subcommands(commands.getCommandSpec(), start);
      default -> terminal.print(NOTHING_ELSE);
    }
  }

  /** kubectl completes its own command line, and we hand its answer on. */
  private void ask(String kind, List<String> rest) {
    List<String> words = new ArrayList<>(List.of("__complete", "get", kind));
    words.addAll(kubectl.connection());
    words.addAll(rest);
    List<String> lines = new ArrayList<>();
    new KubectlProgram(kubectl.program(), List.of()).run(words, lines::add);
    if (lines.isEmpty()) {
      lines.add(NOTHING_ELSE);
    }
    lines.forEach(terminal::print);
  }

  private static List<String> inNamespace(String start, List<String> before) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      String word = before.get(i);
      if (word.startsWith("--namespace=")) {
        words.add(word);
      } else if (Set.of("-n", "--namespace").contains(word) && i + 1 < before.size()) {
        words.add("--namespace=" + before.get(i + 1));
      }
    }
    words.add(start);
    return words;
  }

  private void print(List<String> words, String start) {
    words.stream().filter(word -> word.startsWith(start)).sorted().forEach(terminal::print);
    terminal.print(NOTHING_ELSE);
  }

  private static String firstSentence(String[] text) {
    String line = String.join(" ", text);
    int end = line.indexOf(". ");
    return end < 0 ? line : line.substring(0, end + 1);
  }
}

package dev.portolan.commandline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion script for fish, for which picocli has none. */
final class FishScript {
  private final String program;
  private final List<String> lines = new ArrayList<>();

  private FishScript(String program) {
    this.program = program;
  }

  /** The script for all commands below {@code root}. */
  static String of(CommandSpec root) {
    FishScript script = new FishScript(root.name());
    script.lines.add("# Completions of " + root.name() + " for fish.");
    script.lines.add("complete -c " + root.name() + " -f");
    script.command(root, List.of());
    return String.join("\n", script.lines) + "\n";
  }

  private void command(CommandSpec command, List<String> path) {
    Map<String, CommandSpec> below = new LinkedHashMap<>();
    command
        .subcommands()
        .forEach((name, line) -> {
          if (!line.getCommandSpec().usageMessage().hidden()) {
            below.put(name, line.getCommandSpec());
          }
        });
    String here = condition(path, below.keySet());
    below.forEach((name, spec) ->
        lines.add(start(here) + " -a " + name + description(spec.usageMessage().header())));
    String used = condition(path, path.isEmpty() ? below.keySet() : Set.of());
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        lines.add(start(used) + option(option));
      }
    }
    below.forEach((name, spec) -> {
      List<String> longer = new ArrayList<>(path);
      longer.add(name);
      command(spec, longer);
    });
  }

  /** That the commands of {@code path} were typed, and none of {@code below} yet. */
  private static String condition(List<String> path, Set<String> below) {
    List<String> parts = new ArrayList<>();
    path.forEach(name -> parts.add("__fish_seen_subcommand_from " + name));
    if (!below.isEmpty()) {
      parts.add("not __fish_seen_subcommand_from " + String.join(" ", below));
    }
    return String.join("; and ", parts);
  }

  private String start(String condition) {
    return "complete -c " + program + (condition.isEmpty() ? "" : " -n '" + condition + "'");
  }

  private static String option(OptionSpec option) {
    StringBuilder text = new StringBuilder();
    for (String name : option.names()) {
      text.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    if (option.arity().max() > 0) {
      boolean file = option.paramLabel().equals("FILE");
      text.append(option.arity().min() == 0 ? "" : file ? " -r -F" : " -x");
      if (option.completionCandidates() != null) {
        List<String> words = new ArrayList<>();
        option.completionCandidates().forEach(words::add);
        text.append(" -a '").append(String.join(" ", words)).append("'");
      }
    }
    return text + description(option.description());
  }

  private static String description(String[] text) {
    String line = String.join(" ", text).replace("%%", "%").replace("%n", " ");
    int end = line.indexOf(". ");
    String first = end < 0 ? line.replaceAll("\\.$", "") : line.substring(0, end);
    return first.isEmpty() ? "" : " -d '" + first.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}

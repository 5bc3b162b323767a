package dev.portolan.commandline;

import dev.portolan.text.Spelling;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What is wrong with a command line: place, cause and remedy.
 *
 * @param sentence for a person
 * @param near what was probably meant, the nearest first
 */
public record Mistake(String sentence, List<String> near) {
  private static final String EXAMPLE = "  portolan ";

  /** What picocli found, in our words; {@code typed} is the whole command line. */
  public static Mistake of(ParameterException e, List<String> typed) {
    return switch (e) {
      case UnmatchedArgumentException unmatched -> unmatched(unmatched);
      case OverwrittenOptionException twice ->
          alone(asTyped(twice.getOverwritten(), typed) + " was given more than once; give it once");
      case MissingParameterException missing -> alone(missing(missing, typed));
      default -> alone(invalid(e, typed));
    };
  }

  private static Mistake alone(String sentence) {
    return new Mistake(sentence, List.of());
  }

  private static Mistake unmatched(UnmatchedArgumentException e) {
    String given = e.getUnmatched().getFirst();
    CommandLine command = e.getCommandLine();
    Set<String> commands = command.getSubcommands().keySet();
    if (e.isUnknownOption()) {
      int value = given.indexOf('=');
      String word = value < 0 ? given : given.substring(0, value);
      return new Mistake(
          "unknown option '" + word + "'", near(word, visible(command.getCommandSpec())));
    }
    return commands.isEmpty()
        ? alone("'" + given + "': unexpected argument; remove it")
        : new Mistake("unknown command '" + given + "'", near(given, List.copyOf(commands)));
  }

  /**
   * Nearly every option is two letters away from {@code -x}, so only its other case is near; and an
   * unfinished word probably means one that starts with it.
   */
  private static List<String> near(String word, List<String> names) {
    if (word.length() <= 2) {
      return names.stream().filter(name -> name.equalsIgnoreCase(word)).toList();
    }
    List<String> longer = names.stream().filter(name -> name.startsWith(word)).toList();
    return Spelling.near(word, longer.isEmpty() ? names : longer);
  }

  private static List<String> visible(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.hidden())
        .flatMap(option -> Arrays.stream(option.names()))
        .toList();
  }

  private static String missing(MissingParameterException e, List<String> typed) {
    ArgSpec argument = e.getMissing().isEmpty() ? e.getArgSpec() : e.getMissing().getFirst();
    if (argument instanceof OptionSpec option) {
      return asTyped(option, typed) + " needs a value: " + option.paramLabel();
    }
    String label = argument == null ? "an argument" : argument.paramLabel();
    return label
        + " is required"
        + example(e.getCommandLine().getCommandSpec())
            .map(line -> ", as in '" + line + "'")
            .orElse("");
  }

  /** The first example of the command's help. */
  private static Optional<String> example(CommandSpec command) {
    return Arrays.stream(command.usageMessage().footer())
        .filter(line -> line.startsWith(EXAMPLE))
        .map(String::strip)
        .findFirst();
  }

  private static String invalid(ParameterException e, List<String> typed) {
    ArgSpec argument = e.getArgSpec();
    String value = e.getValue();
    if (argument == null || value == null) {
      String message = String.valueOf(e.getMessage());
      return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }
    boolean truth = argument.type() == Boolean.class || argument.type() == boolean.class;
    return asTyped(argument, typed)
        + ": '"
        + value
        + "' is not allowed; write "
        + (truth ? "true or false" : argument.paramLabel());
  }

  /** The name of an option that was used, of those that it has. */
  private static String asTyped(ArgSpec argument, List<String> typed) {
    if (!(argument instanceof OptionSpec option)) {
      return argument.paramLabel();
    }
    List<String> names = List.of(option.names());
    return typed.stream()
        .map(word -> word.contains("=") ? word.substring(0, word.indexOf('=')) : word)
        .filter(names::contains)
        .reduce((first, last) -> last)
        .orElse(option.longestName());
  }
}

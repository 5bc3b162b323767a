package dev.portolan.config;

import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Balancing;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a recording says of the configuration under which it was decided: a file with all defaults
 * and, as comments in it, what no file can say.
 *
 * @param plan of the file
 * @param decision what file and comments say of the cluster and the node
 */
public record RecordedSettings(StartPlan plan, DecisionSettings decision) {
  private static final String BALANCING = "# balancing: ";
  private static final String FAMILIES = "# families: ";

  /** The text for a recording; {@code families} are those that the node has. */
  public static String text(StartPlan plan, Set<IpFamily> families) {
    return BALANCING
        + plan.flags().text("balancing")
        + "\n"
        + FAMILIES
        + families.stream().sorted().map(IpFamily::toString).collect(Collectors.joining(" "))
        + "\n"
        + plan.asFile();
  }

  /**
   * What such a text says.
   *
   * @param name what the file is called in messages
   * @throws ConfigException where this version does not accept the configuration
   */
  public static RecordedSettings read(String name, String text) {
    StartPlan plan = StartPlan.ofFile(name, file -> text, Platform.current());
    DecisionSettings said = plan.decision();
    DecisionSettings balanced =
        comment(text, BALANCING).flatMap(Balancing.Kind::parse).map(said::with).orElse(said);
    Set<IpFamily> families = EnumSet.noneOf(IpFamily.class);
    comment(text, FAMILIES)
        .ifPresent(words ->
            Arrays.stream(IpFamily.values())
                .filter(family -> Arrays.asList(words.split(" ")).contains(family.toString()))
                .forEach(families::add));
    return new RecordedSettings(
        plan,
        families.isEmpty()
            ? balanced
            : new DecisionSettings(balanced.cluster(), balanced.node().with(families)));
  }

  private static Optional<String> comment(String text, String start) {
    return text.lines()
        .takeWhile(line -> line.startsWith("#"))
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst();
  }
}

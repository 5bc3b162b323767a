package dev.portolan.migration;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.core.text.Tree;
import dev.portolan.migration.MigrationItem.Affected;
import dev.portolan.migration.MigrationItem.Level;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What there is to say about a move to another mode, for a person or a program.
 *
 * @param version the version of the new configuration
 * @param writtenTo the file that has the new configuration; empty where it is part of the report
 */
public record MigrationReport(
    Migration migration, ConfigVersion version, Optional<String> writtenTo) implements Tree.Shown {
  private static final String INDENT = "    ";
  private static final int LABEL = 7;

  /** The report in the columns of a terminal; the new configuration is never wrapped. */
  public List<String> lines(Terminal terminal) {
    List<String> lines = new ArrayList<>();
    lines.add(headline());
    for (Level level : Level.values()) {
      List<MigrationItem> items =
          migration.items().stream().filter(item -> item.level() == level).toList();
      if (!items.isEmpty()) {
        boolean check = level == Level.CHECK;
        lines.add("");
        lines.add(
            terminal.paint(
                check ? Paint.YELLOW : Paint.GREEN, check ? "NEEDS A PERSON" : "GOOD TO KNOW"));
        items.forEach(item -> add(lines, item, terminal));
      }
    }
    migration
        .ipvs()
        .filter(ipvs -> !ipvs.servers().isEmpty())
        .ifPresent(ipvs -> {
          lines.add("");
          lines.add(terminal.paint(Paint.BOLD, "IPVS ON THIS NODE"));
          lines.addAll(ipvs.lines(terminal));
        });
    lines.add("");
    if (writtenTo.isPresent()) {
      lines.add("The new configuration is in " + Text.printable(writtenTo.get()) + ".");
      lines.addAll(Text.wrap(readers(), terminal.width()));
    } else {
      lines.add(terminal.paint(Paint.BOLD, "THE NEW CONFIGURATION"));
      lines.addAll(Text.wrap(readers(), terminal.width()));
      lines.add("");
      lines.addAll(migration.file(version).lines().toList());
    }
    return lines;
  }

  /** Which programs read the new configuration. */
  private String readers() {
    return version == ConfigVersion.V1ALPHA1
        ? "It is of v1alpha1, which kube-proxy and Portolan read."
        : "It is of v1alpha2, which Portolan reads and kube-proxy does not. For kube-proxy itself,"
            + " add --config-version v1alpha1.";
  }

  private record Form(
      ProxyMode from,
      ProxyMode to,
      boolean needsPerson,
      List<MigrationItem> items,
      @Tree.OmitEmpty Optional<List<LiveServer>> ipvs,
      ConfigVersion configVersion,
      String configuration,
      @Tree.OmitEmpty Optional<String> writtenTo) {}

  @Override
  public Object shown() {
    return new Form(
        migration.from(),
        migration.to(),
        migration.needsPerson(),
        migration.items(),
        migration.ipvs().map(LiveIpvs::servers),
        version,
        migration.file(version),
        writtenTo);
  }

  private String headline() {
    long checks = migration.items().stream().filter(item -> item.level() == Level.CHECK).count();
    String move =
        migration.from() == migration.to()
            ? "Already " + migration.to()
            : "From " + migration.from() + " to " + migration.to();
    return move
        + ": "
        + switch ((int) checks) {
          case 0 -> "nothing needs a person.";
          case 1 -> "1 thing needs a person.";
          default -> checks + " things need a person.";
        };
  }

  private static void add(List<String> lines, MigrationItem item, Terminal terminal) {
    lines.add("");
    lines.add("  " + terminal.paint(Paint.BOLD, item.id()));
    add(lines, "today", item.today(), terminal);
    add(lines, "after", item.after(), terminal);
    add(lines, "do", item.advice(), terminal);
    String label = "for";
    for (Affected affected : item.services()) {
      add(lines, label, affected.service() + ": " + affected.why(), terminal);
      label = "";
    }
  }

  private static void add(List<String> lines, String label, String text, Terminal terminal) {
    int room = terminal.width() - INDENT.length() - LABEL;
    String start = terminal.paint(Paint.FAINT, label) + " ".repeat(LABEL - label.length());
    for (String part : Text.wrap(Text.printable(text), room)) {
      lines.add(INDENT + start + part);
      start = " ".repeat(LABEL);
    }
  }
}

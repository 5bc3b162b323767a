package dev.portolan.inspection.audit;

import dev.portolan.audit.AuditDifference;
import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.audit.AuditDifference.Kind;
import dev.portolan.backend.iptables.IptablesMode;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.mode.ModeSettings;
import dev.portolan.nftables.TableName;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.kernel.KernelRulesets;
import dev.portolan.walk.nft.NftRuleset;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The rules for services that a node has.
 *
 * @param rules those that an audit is about
 * @param ours whether Portolan wrote them
 * @param others descriptions of rules of another proxy beside them
 */
record FoundRules(Ruleset rules, boolean ours, List<String> others) {
  /**
   * The rules of a network namespace: of {@code mode}, if one was named, and ours before others'.
   *
   * @param table the name of our own tables of nftables
   */
  static Optional<FoundRules> read(Optional<Path> namespace, String mode, String table) {
    List<Ruleset> all = KernelRulesets.read(namespace);
    Optional<Ruleset> chosen =
        all.stream()
            .filter(one -> mode.isEmpty() || KernelRulesets.mode(one).equals(mode))
            .min(Comparator.comparing(one -> !isOurs(one, table)));
    return chosen.map(one ->
        new FoundRules(
            one,
            isOurs(one, table),
            all.stream().filter(other -> !other.equals(one)).map(Ruleset::description).toList()));
  }

  private static boolean isOurs(Ruleset rules, String table) {
    String text = rules.description().toLowerCase(Locale.ROOT);
    return text.contains("portolan") || text.contains(" " + table);
  }

  /** The mode in which such rules are written. */
  String mode() {
    return KernelRulesets.mode(rules);
  }

  /** The settings with the kind of iptables that has the rules. */
  ModeSettings adapt(ModeSettings settings) {
    String text = rules.description();
    return text.startsWith("iptables-legacy")
        ? settings.with(IptablesMode.VARIANT, Variant.LEGACY)
        : text.startsWith("iptables-nft")
            ? settings.with(IptablesMode.VARIANT, Variant.NFT)
            : settings;
  }

  /** That rules of more than one proxy are there. */
  List<AuditDifference> foreign(String table) {
    List<AuditDifference> found =
        others.stream().map(FoundRules::another).collect(Collectors.toList());
    if (rules instanceof NftRuleset nftables && ours) {
      nftables.serviceTables().stream()
          .filter(name -> !name.name().equals(table))
          .map(TableName::toString)
          .forEach(name -> found.add(another("nftables, table " + name)));
    }
    return found;
  }

  private static AuditDifference another(String description) {
    return new AuditDifference(
        Kind.FOREIGN,
        Basis.RULES,
        description,
        "",
        "rules of another service proxy are there as well");
  }
}

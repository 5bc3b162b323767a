package dev.portolan.config.validation;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Conversion;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import java.util.ArrayList;
import java.util.List;

/**
 * All findings about a configuration before it is used: errors ({@link ErrorChecks}), what is
 * questionable ({@link QuestionableChecks}), what is retired ({@link Retirement}), and what the
 * conversion to the latest version loses.
 */
public final class Validator {
  private Validator() {}

  /**
   * The findings, errors first; the configuration can be used where none is an error.
   *
   * @param written what the user wrote, in their version and without defaults
   * @param gates those of the emulated version and the flags
   */
  public static List<Finding> check(Settings written, Platform platform, FeatureGates gates) {
    List<Finding> findings = new ArrayList<>(ErrorChecks.errors(written, platform, gates));
    FeatureGates all = gates;
    if (gates.errors(written.gates()).isEmpty()) {
      all = gates.with(written.gates());
      all.warnings().stream()
          .skip(gates.warnings().size())
          .forEach(text -> findings.add(Finding.of(FindingSeverity.WARNING, "featureGates", text)));
    }
    findings.addAll(QuestionableChecks.check(written, platform, all));
    findings.addAll(Retirement.warnings(written, platform, all));
    List<String> said = findings.stream().map(Finding::path).toList();
    Conversion.convert(written, ConfigVersion.latest()).warnings().stream()
        .filter(lost -> !said.contains(lost.path()))
        .forEach(findings::add);
    findings.sort((one, two) -> one.severity().compareTo(two.severity()));
    return List.copyOf(findings);
  }
}

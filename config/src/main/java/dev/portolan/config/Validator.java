package dev.portolan.config;

import java.util.ArrayList;
import java.util.List;

/** All that is to be said about a configuration before it is used. */
public final class Validator {
  private Validator() {}

  /**
   * The findings, errors first; the configuration can be used where none is an error.
   *
   * @param written what the user wrote, in his version and without defaults
   * @param gates those of the emulated version and the flags
   */
  public static List<Finding> check(Settings written, Platform platform, FeatureGates gates) {
    List<Finding> findings = new ArrayList<>(Validation.errors(written, platform, gates));
    FeatureGates all = gates;
    if (gates.errors(written.gates()).isEmpty()) {
      all = gates.with(written.gates());
      all.warnings().stream()
          .skip(gates.warnings().size())
          .forEach(text -> findings.add(Finding.of(Severity.WARNING, "featureGates", text)));
    }
    findings.addAll(QuestionableChecks.check(written, platform, all));
    findings.addAll(Retirement.warnings(written, platform, all));
    List<String> said = findings.stream().map(Finding::path).toList();
    Conversion.convert(written, Version.latest()).warnings().stream()
        .filter(lost -> !said.contains(lost.path()))
        .forEach(findings::add);
    findings.sort((one, two) -> one.severity().compareTo(two.severity()));
    return List.copyOf(findings);
  }
}

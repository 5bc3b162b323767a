package dev.portolan.config;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Conversion;
import dev.portolan.config.fields.PlatformDefaults;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.file.ConfigText;
import dev.portolan.config.file.SettingsWriter;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.flags.FlagSettings;
import dev.portolan.config.flags.FlagValues;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.ClusterShape;
import dev.portolan.config.validation.ErrorChecks;
import dev.portolan.config.validation.QuestionableChecks;
import dev.portolan.config.validation.Retirement;
import dev.portolan.core.node.Balancing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that a daemon needs to know to start, checked.
 *
 * @param flags the command line
 * @param platform the system that it is for
 * @param source the configuration file; empty where flags are all there is
 * @param configuration what is in effect, with nothing left to defaults
 * @param gates the feature gates in effect
 * @param notices what to report to the cluster, as events
 * @param warnings what to log for people; the notices are among them
 */
public record StartPlan(
    FlagValues flags,
    Platform platform,
    Optional<Source> source,
    ProxyConfiguration configuration,
    FeatureGates gates,
    List<Retirement.Notice> notices,
    List<Finding> warnings)
    implements Start {
  public StartPlan {
    notices = List.copyOf(notices);
    warnings = List.copyOf(warnings);
  }

  /** A configuration file and the text that was in it. */
  public record Source(String file, String text) {}

  /** The plan of a daemon that is started with nothing but this configuration file. */
  public static StartPlan ofFile(String file, Reader reader, Platform platform) {
    return of(FlagValues.parse(List.of("--config=" + file), platform), reader, platform);
  }

  static StartPlan of(FlagValues flags, Reader reader, Platform platform) {
    if (flags.text("config").isEmpty()) {
      return alone(flags, platform);
    }
    String file = flags.text("config");
    return over(flags, platform, new Source(file, reader.read(file)));
  }

  /** The plan of the same command line, now that the file has another text. */
  public StartPlan reread(String text) {
    String file = source.orElseThrow().file();
    return over(flags, platform, new Source(file, text));
  }

  private static StartPlan alone(FlagValues flags, Platform platform) {
    Settings written = FlagSettings.alone(flags);
    List<Finding> found = FlagSettings.check(flags, platform);
    refuse(Finding.errors(found));
    return plan(flags, platform, Optional.empty(), written, written, found);
  }

  private static StartPlan over(FlagValues flags, Platform platform, Source source) {
    ConfigFile file = ConfigFile.scan(ConfigText.name(source.file()), source.text());
    FeatureGates gates = FeatureGates.defaults(flags.emulated());
    List<Finding> found = file.check(platform, gates);
    Settings settings = FlagSettings.over(file, flags);
    refuse(
        withFlags(
            file, Finding.errors(found), ErrorChecks.errors(settings, platform, gates), flags));
    return plan(flags, platform, Optional.of(source), file.written(), settings, found);
  }

  /** The errors of a file, and those that only come from the flags on top of it. */
  private static List<Finding> withFlags(
      ConfigFile file, List<Finding> inFile, List<Finding> together, FlagValues flags) {
    List<Finding> all = new ArrayList<>(inFile);
    for (Finding finding : together) {
      Finding named = FlagSettings.named(flags, finding);
      if (!named.equals(finding)) {
        all.add(named);
      } else if (inFile.isEmpty()) {
        all.add(file.locate(finding));
      }
    }
    return all;
  }

  private static StartPlan plan(
      FlagValues flags,
      Platform platform,
      Optional<Source> source,
      Settings written,
      Settings effective,
      List<Finding> found) {
    FeatureGates gates = FeatureGates.defaults(flags.emulated()).with(effective.gates());
    List<Finding> warnings = new ArrayList<>();
    flags.warnings().forEach(text -> warnings.add(Finding.of(FindingSeverity.WARNING, "", text)));
    // Which traffic is local and where nodePorts are served is questionable; a brain decides both.
    boolean isFed = !flags.text("api").isEmpty();
    found.stream()
        .filter(one -> !isFed || one.severity() != FindingSeverity.QUESTIONABLE)
        .forEach(warnings::add);
    return new StartPlan(
        flags,
        platform,
        source,
        PlatformDefaults.apply(ProxyConfiguration.of(effective), platform, gates),
        gates,
        Retirement.notices(written, platform, gates),
        warnings);
  }

  private static void refuse(List<Finding> errors) {
    if (!errors.isEmpty()) {
      throw new ConfigException(errors);
    }
  }

  /**
   * What is questionable in this cluster and could not be known without it; an error among them
   * should end the start.
   */
  public List<Finding> questionableIn(ClusterShape cluster) {
    Settings settings = configuration.settings();
    List<Finding> known = QuestionableChecks.check(settings, platform, gates);
    List<Finding> found =
        new ArrayList<>(QuestionableChecks.check(settings, platform, gates, cluster));
    found.removeAll(known);
    return found;
  }

  /** The finding with the flag or the place in the file that sets its field. */
  public Finding locate(Finding finding) {
    Finding named = FlagSettings.named(flags, finding);
    return source.isEmpty() || !named.equals(finding)
        ? named
        : file().orElseThrow().locate(finding);
  }

  private Optional<ConfigFile> file() {
    return source.map(file -> ConfigFile.read(ConfigText.name(file.file()), file.text()));
  }

  /** The file to watch; standard input is read only once. */
  public Optional<Source> watched() {
    return source.filter(one -> ConfigText.isFile(one.file()));
  }

  /**
   * The version in which the configuration is shown to programs: v1alpha1 as in kube-proxy, unless
   * the file is of v1alpha2, or something would be lost.
   */
  public ConfigVersion shownAs() {
    boolean isNew =
        file().filter(one -> one.version() == ConfigVersion.V1ALPHA2).isPresent()
            || !Conversion.convert(configuration.settings(), ConfigVersion.V1ALPHA1)
                .warnings()
                .isEmpty();
    return isNew ? ConfigVersion.V1ALPHA2 : ConfigVersion.V1ALPHA1;
  }

  /** What the configuration says of how the cluster is decided. */
  public DecisionSettings decision() {
    return DecisionSettings.of(configuration, gates)
        .with(Balancing.Kind.parse(flags.text("balancing")).orElseThrow());
  }

  /** Whether both plans make a daemon do the same. */
  public boolean isLike(StartPlan other) {
    return configuration.equals(other.configuration) && gates.set().equals(other.gates.set());
  }

  /** The configuration as a file of the latest version, with every field. */
  public String asFile() {
    return SettingsWriter.everything(configuration.settings());
  }

  /** The file to write the configuration to, instead of starting. */
  public Optional<String> writeConfigTo() {
    return given("write-config-to");
  }

  /** Whether to remove all rules, instead of starting. */
  public boolean cleanup() {
    return flags.truth("cleanup");
  }

  /** Whether to do only what needs privileges. */
  public boolean initOnly() {
    return flags.truth("init-only");
  }

  /** Whether to end, rather than to start again, when the file changes. */
  public boolean exitOnConfigChange() {
    return flags.truth("exit-on-config-change");
  }

  /** The socket to serve this node's decisions on, if any. */
  public Optional<Path> apiListen() {
    return given("api-listen").map(text -> Path.of(text.substring("unix://".length())));
  }

  /** Whether labels and annotations of services are kept for clients that ask for them. */
  public boolean serviceMetadata() {
    return flags.truth("service-metadata");
  }

  /** The address of the API server, where it is not the kubeconfig's. */
  public Optional<String> master() {
    return given("master");
  }

  /** The version to report instead of our own. */
  public Optional<String> reportedVersion() {
    return given("version").filter(text -> text.startsWith("v"));
  }

  private Optional<String> given(String name) {
    return Optional.of(flags.text(name)).filter(text -> !text.isEmpty());
  }
}

package dev.portolan.config.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.file.SettingsWriter;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.Validator;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Gen;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What holds for every configuration. */
class ConversionProperties {
  /** What v1alpha1 cannot say, or takes for absent when it is zero. */
  private static final Set<String> LOST_IN_V1ALPHA1 =
      Set.of(
          "configHardFail",
          "ipFamilyPolicy",
          "nodeIPOverride",
          "ipvs.masqueradeBit",
          "iptables.masqueradeBit",
          "minSyncPeriod",
          "syncPeriod",
          "configSyncPeriod",
          "healthzBindAddress",
          "metricsBindAddress",
          "clientConnection.contentType",
          "clientConnection.qps",
          "clientConnection.burst",
          "logging.format",
          "logging.flushFrequency");

  Gen<Settings> first() {
    return SettingsSource.of(ConfigVersion.V1ALPHA1);
  }

  Gen<Settings> second() {
    return SettingsSource.of(ConfigVersion.V1ALPHA2);
  }

  @Property(tries = 300)
  void aFirstVersionComesBackButForSectionsOfOtherModes(@ForAll("first") Settings settings) {
    Settings before = Defaults.apply(settings);
    Conversion.Result there = Conversion.convert(settings, ConfigVersion.V1ALPHA2);
    Settings back = Conversion.convert(there.settings(), ConfigVersion.V1ALPHA1).settings();
    Set<String> lost = differing(before, back);
    assertThat(lost).allMatch(path -> isUnread(path, before.text("mode")));
    lost.removeIf(path ->
        before
            .value(path)
            .equals(
                FieldTable.row(ConfigVersion.V1ALPHA1, path).defaultValue(ConfigVersion.V1ALPHA1)));
    assertThat(paths(there.warnings())).isEqualTo(lost);
  }

  @Property(tries = 300)
  void aSecondVersionComesBackButForWhatTheFirstCannotSay(@ForAll("second") Settings settings) {
    Settings before = Defaults.apply(settings);
    Conversion.Result there = Conversion.convert(settings, ConfigVersion.V1ALPHA1);
    Settings back = Conversion.convert(there.settings(), ConfigVersion.V1ALPHA2).settings();
    Set<String> lost = differing(before, back);
    assertThat(LOST_IN_V1ALPHA1).containsAll(lost);
    assertThat(paths(there.warnings())).isEqualTo(lost);
  }

  @Property(tries = 200)
  void aConvertedFileBehavesAsTheFirst(@ForAll("first") Settings settings) {
    Settings converted = Conversion.convert(settings, ConfigVersion.V1ALPHA2).settings();
    String file = SettingsWriter.nonDefaults(converted);
    assertThat(ConfigFile.read("f", file).configuration())
        .isEqualTo(ProxyConfiguration.of(settings));
  }

  @Property(tries = 200)
  void whatIsWrittenIsRead(@ForAll("first") Settings one, @ForAll("second") Settings two) {
    for (Settings settings : List.of(one, two)) {
      Settings full = Defaults.apply(settings);
      for (String file :
          List.of(SettingsWriter.everything(settings), SettingsWriter.nonDefaults(settings))) {
        ConfigFile read = ConfigFile.read("f", file);
        assertThat(Defaults.apply(read.written()).values()).isEqualTo(full.values());
        assertThat(read.warnings()).isEmpty();
      }
    }
  }

  @Property(tries = 100)
  void recordsHoldAllOfIt(@ForAll("second") Settings settings) {
    Settings all = Defaults.apply(settings);
    // Validation refuses an unknown mode before there are records.
    assumeTrue(ProxyMode.parse(all.text("mode")).isPresent());
    assertThat(ProxyConfiguration.of(settings).settings()).isEqualTo(all);
  }

  @Property(tries = 100)
  void validationNeverFails(@ForAll("first") Settings one, @ForAll("second") Settings two) {
    for (Platform platform : Platform.values()) {
      FeatureGates gates = FeatureGates.defaults(KubeVersion.CURRENT);
      assertThat(Validator.check(one, platform, gates)).isNotNull();
      assertThat(Validator.check(two, platform, gates)).isNotNull();
    }
  }

  private static boolean isUnread(String path, String mode) {
    String active = mode.equals("ipvs") || mode.equals("nftables") ? mode : "iptables";
    String section = path.split("\\.", 2)[0];
    boolean perMode = path.matches("(iptables|ipvs|nftables)\\.(syncPeriod|minSyncPeriod)");
    String masquerade = mode.equals("nftables") ? "nftables" : "iptables";
    boolean all =
        path.matches("(iptables|nftables)\\.masqueradeAll") && !section.equals(masquerade);
    return path.equals("portRange") || (perMode && !section.equals(active)) || all;
  }

  /** The fields that differ, except spellings that mean the same. */
  private static Set<String> differing(Settings before, Settings after) {
    return FieldTable.paths(before.version()).stream()
        .filter(path -> !plain(path, before).equals(plain(path, after)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Object plain(String path, Settings settings) {
    Object value = settings.value(path);
    return switch (path) {
      case "bindAddress" -> value.equals("::") ? "0.0.0.0" : value;
      case "clusterCIDR" -> ((String) value).replace(" ", "");
      default -> value;
    };
  }

  private static Set<String> paths(List<Finding> findings) {
    return findings.stream().map(Finding::path).collect(Collectors.toCollection(TreeSet::new));
  }
}

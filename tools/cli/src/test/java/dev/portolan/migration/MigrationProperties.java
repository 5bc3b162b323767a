package dev.portolan.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Defaults;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.Validator;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Gen;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What holds for every configuration that moves. */
class MigrationProperties {
  private static final List<String> SHARED =
      List.of(
          "clientConnection: {kubeconfig: /etc/k, qps: 0, burst: 3}",
          "nodePortAddresses: [localhost, 10.0.0.0/8]",
          "nodePortAddresses: []",
          "featureGates: {KubeProxyIPVS: true, AllAlpha: true}",
          "detectLocalMode: NodeCIDR",
          "hostnameOverride: 'null'",
          "iptables: {masqueradeBit: 3, localhostNodePorts: true}",
          "healthzBindAddress: ''",
          "configSyncPeriod: 1h",
          "logging: {format: json, verbosity: 4}");
  private static final List<String> FIRST =
      List.of(
          "bindAddress: '::'",
          "clusterCIDR: 10.244.0.0/16, fd00::/56",
          "portRange: 1-2",
          "ipvs: {scheduler: mh, syncPeriod: 10s, udpTimeout: 1m, excludeCIDRs: [10.0.0.0/8]}",
          "nftables: {masqueradeBit: 7, masqueradeAll: true, minSyncPeriod: 5s}",
          "conntrack: {maxPerCore: 0, tcpBeLiberal: true}",
          "bindAddressHardFail: true",
          "oomScoreAdj: 0");
  private static final List<String> SECOND =
      List.of(
          "nodeIPOverride: [10.0.0.1, 'fd00::1']",
          "configHardFail: false",
          "detectLocal: {clusterCIDRs: [10.244.0.0/16]}",
          "syncPeriod: 1m",
          "minSyncPeriod: 0s",
          "ipvs: {masqueradeBit: 9, strictARP: true, tcpTimeout: 1m}",
          "nftables: {masqueradeBit: 7}",
          "linux: {masqueradeAll: true, oomScoreAdj: 0, conntrack: {min: 0}}",
          "ipFamilyPolicy: PreferDualStack");

  private static Migration move(Settings written) {
    return move(ProxyMode.NFTABLES, written);
  }

  private static Migration move(ProxyMode to, Settings written) {
    return Migration.of(to, written, KubeVersion.CURRENT, Optional.empty(), Optional.empty());
  }

  Gen<Settings> configurations() {
    Gen<ConfigVersion> versions = Gen.of(ConfigVersion.values());
    Gen<String> modes = Gen.of("''", "iptables", "ipvs", "nftables");
    Gen<List<String>> shared = Gen.someOf(SHARED, SHARED.size());
    Gen<List<String>> first = Gen.someOf(FIRST, FIRST.size());
    Gen<List<String>> second = Gen.someOf(SECOND, SECOND.size());
    return random -> {
      ConfigVersion version = versions.next(random);
      Gen<List<String>> own = version == ConfigVersion.V1ALPHA1 ? first : second;
      return read(version, modes.next(random), shared.next(random), own.next(random));
    };
  }

  @Property
  void theNewFileIsValidAndReadsBackEqual(@ForAll("configurations") Settings written) {
    assumeTrue(errors(written).stream().map(Finding::path).allMatch("nodePortAddresses"::equals));

    Migration migration = move(written);

    assertThat(errors(migration.settings())).isEmpty();
    ConfigFile back = ConfigFile.read("new", migration.file(ConfigVersion.latest()));
    assertThat(back.warnings()).isEmpty();
    assertThat(back.version()).isEqualTo(ConfigVersion.latest());
    assertThat(Defaults.apply(back.written())).isEqualTo(migration.settings());
    assertThat(errors(back.written())).isEmpty();
  }

  @Property
  void movingTwiceChangesNothing(@ForAll("configurations") Settings written) {
    Migration once = move(written);
    Migration twice = move(once.settings());

    assertThat(twice.settings()).isEqualTo(once.settings());
    assertThat(twice.items()).extracting(MigrationItem::id).containsExactly("already-nftables");
  }

  @Property
  void theMoveToIptablesIsValidReadsBackEqualAndIsDoneOnce(
      @ForAll("configurations") Settings written) {
    assumeTrue(errors(written).stream().map(Finding::path).allMatch("nodePortAddresses"::equals));
    Migration once = move(ProxyMode.IPTABLES, written);
    Migration twice = move(ProxyMode.IPTABLES, once.settings());

    for (ConfigVersion version : ConfigVersion.values()) {
      ConfigFile back = ConfigFile.read("new", once.file(version));
      assertThat(back.warnings()).isEmpty();
      assertThat(back.version()).isEqualTo(version);
      assertThat(back.configuration().mode()).isEqualTo(ProxyMode.IPTABLES);
      if (once.in(version).warnings().isEmpty()) {
        assertThat(back.configuration()).isEqualTo(ProxyConfiguration.of(once.settings()));
      }
    }
    assertThat(twice.settings()).isEqualTo(once.settings());
    assertThat(twice.items()).extracting(MigrationItem::id).containsExactly("already-iptables");
  }

  @Property
  void whatIsNotOfAModeStays(@ForAll("configurations") Settings written) {
    ProxyConfiguration before = ProxyConfiguration.of(written);
    ProxyConfiguration after = ProxyConfiguration.of(move(written).settings());

    assertThat(after.clientConnection()).isEqualTo(before.clientConnection());
    assertThat(after.linux()).isEqualTo(before.linux());
    assertThat(after.detectLocal()).isEqualTo(before.detectLocal());
    assertThat(after.syncPeriod()).isEqualTo(before.syncPeriod());
    assertThat(after.minSyncPeriod()).isEqualTo(before.minSyncPeriod());
    assertThat(after.nodeIPOverride()).isEqualTo(before.nodeIPOverride());
    assertThat(after.configHardFail()).isEqualTo(before.configHardFail());
  }

  /** A field that is there twice counts once, as the first. */
  private static Settings read(
      ConfigVersion version, String mode, List<String> some, List<String> more) {
    String head = "apiVersion: " + version.apiVersion() + "\nkind: " + ConfigVersion.KIND + "\n";
    String fields =
        List.of(some, more).stream()
            .flatMap(List::stream)
            .collect(
                Collectors.toMap(
                    line -> line.split(":", 2)[0], line -> line, (first, second) -> first))
            .values()
            .stream()
            .collect(Collectors.joining("\n", "", "\n"));
    return ConfigFile.read("old", head + "mode: " + mode + "\n" + fields).written();
  }

  private static List<Finding> errors(Settings settings) {
    return Validator.check(settings, Platform.LINUX, FeatureGates.defaults(KubeVersion.CURRENT))
        .stream()
        .filter(finding -> finding.severity() == FindingSeverity.ERROR)
        .toList();
  }
}

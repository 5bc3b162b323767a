package dev.portolan.daemon;

import dev.portolan.api.transport.Address;
import dev.portolan.client.Connection;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.tls.TlsException;
import dev.portolan.tls.TlsFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The brain that decides for this node, where a plan names one with {@code --api}.
 *
 * @param tls for a brain behind {@code tcp://}
 */
record BrainAccess(Address address, Optional<TlsFiles> tls) {
  private static final List<String> TLS_FLAGS = List.of("tls-key", "tls-crt", "tls-ca");

  /** The flags that make no sense beside a brain. */
  private static final Map<String, String> EXCLUDED =
      Map.of(
          "master", "the brain decides",
          "api-listen", "the brain decides",
          "chart-listen", "only the brain knows the cluster: serve the chart there",
          "balancing", "the brain decides",
          "record", "only the brain knows the cluster: record at the brain",
          "node-taint", "a daemon without an API server has no right to change its Node");

  /** What {@code plan} says of a brain; empty where the daemon decides for itself. */
  static Optional<BrainAccess> of(StartPlan plan) {
    List<String> given = TLS_FLAGS.stream().filter(flag -> isGiven(plan, flag)).toList();
    if (!isGiven(plan, "api")) {
      if (!given.isEmpty() && !isGiven(plan, "chart-listen")) {
        throw ConfigException.of(
            "--" + given.getFirst(), "only used with --api; name the brain, or remove it");
      }
      return Optional.empty();
    }
    EXCLUDED.forEach((flag, why) -> {
      if (isGiven(plan, flag)) {
        throw ConfigException.of(
            "--" + flag, "cannot be used with --api, because " + why + "; remove one of them");
      }
    });
    Optional<TlsFiles> tls = certificates(plan);
    try {
      return Optional.of(new BrainAccess(Address.parse(plan.flags().text("api")), tls));
    } catch (IllegalArgumentException e) {
      throw ConfigException.of("--api", String.valueOf(e.getMessage()));
    }
  }

  /** The certificates that {@code plan} names, for a brain or for readers of the chart. */
  static Optional<TlsFiles> certificates(StartPlan plan) {
    List<String> given = TLS_FLAGS.stream().filter(flag -> isGiven(plan, flag)).toList();
    if (!given.isEmpty() && given.size() < TLS_FLAGS.size()) {
      throw ConfigException.of(
          "--" + given.getFirst(),
          "--tls-key, --tls-crt and --tls-ca must be used together; set all three, or none");
    }
    return given.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new TlsFiles(file(plan, "tls-key"), file(plan, "tls-crt"), file(plan, "tls-ca")));
  }

  private static boolean isGiven(StartPlan plan, String flag) {
    return plan.flags().has(flag) && !plan.flags().text(flag).isEmpty();
  }

  private static Path file(StartPlan plan, String flag) {
    return Path.of(plan.flags().text(flag));
  }

  /**
   * The way to the brain, which is taken when it is first needed.
   *
   * @param log notified of what is wrong with certificates that changed
   */
  Connection connect(Consumer<String> log) {
    try {
      return Connection.open(address, tls, Connection.Options.DEFAULT.log(log));
    } catch (IllegalArgumentException e) {
      throw ConfigException.of("--api", String.valueOf(e.getMessage()));
    } catch (TlsException e) {
      throw ConfigException.of("--tls-key, --tls-crt, --tls-ca", String.valueOf(e.getMessage()));
    }
  }

  /** The fields that were set, but that the brain decides. */
  static List<String> ignored(StartPlan plan) {
    ProxyConfiguration configuration = plan.configuration();
    List<String> fields = new ArrayList<>();
    add(fields, "clientConnection.kubeconfig", configuration.clientConnection().kubeconfig());
    add(fields, "detectLocal.clusterCIDRs", configuration.detectLocal().clusterCIDRs());
    add(fields, "detectLocal.bridgeInterface", configuration.detectLocal().bridgeInterface());
    add(
        fields,
        "detectLocal.interfaceNamePrefix",
        configuration.detectLocal().interfaceNamePrefix());
    if (!configuration.nodePortAddresses().equals(List.of("primary"))) { // What nftables fills in.
      add(fields, "nodePortAddresses", configuration.nodePortAddresses());
    }
    add(fields, "nodeIPOverride", configuration.nodeIPOverride());
    if (configuration.linux().masqueradeAll()) {
      fields.add("linux.masqueradeAll");
    }
    return fields;
  }

  private static void add(List<String> fields, String name, String value) {
    if (!value.isEmpty()) {
      fields.add(name);
    }
  }

  private static void add(List<String> fields, String name, List<String> value) {
    if (!value.isEmpty()) {
      fields.add(name);
    }
  }
}

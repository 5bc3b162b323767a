package dev.portolan.daemon;

import dev.portolan.apiserver.ApiResponse;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.config.NodeIps;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.validation.ClusterShape;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.Node;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.telemetry.http.BindAddress;
import dev.portolan.telemetry.http.PortUnavailableException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What keeps the daemon from running with a valid configuration, asked before anything is started
 * or ended for it.
 *
 * <p>A start that fails in spite of it is caught by {@link KubeProxy}, which goes back to the
 * configuration before.
 */
final class StartCheck {
  private final StartPlan running;
  private final StartPlan next;
  private final ProxyConfiguration wanted;
  private final List<Finding> errors = new ArrayList<>();

  private StartCheck(StartPlan running, StartPlan next) {
    this.running = running;
    this.next = next;
    this.wanted = next.configuration();
  }

  /**
   * Everything that keeps this host from going on with {@code next}, as far as it can be known
   * while {@code running} still serves.
   *
   * @param node the Node object, where it is known
   */
  static List<Finding> errors(
      StartPlan running, StartPlan next, @Nullable Node node, String version)
      throws InterruptedException {
    StartCheck check = new StartCheck(running, next);
    if (BrainAccess.of(next).isEmpty()) {
      check.cluster(version);
    }
    check.node(node);
    check.port(
        "metricsBindAddress",
        running.configuration().metricsBindAddress(),
        check.wanted.metricsBindAddress());
    check.port(
        "healthzBindAddress",
        running.configuration().healthzBindAddress(),
        check.wanted.healthzBindAddress());
    check.backend();
    return check.errors.stream().map(next::locate).toList();
  }

  private void add(String path, @Nullable String text) {
    errors.add(Finding.of(FindingSeverity.ERROR, path, String.valueOf(text)));
  }

  /** The kubeconfig has to be usable; one that leads elsewhere than before has to be answered. */
  private void cluster(String version) throws InterruptedException {
    boolean isSame = running.configuration().clientConnection().equals(wanted.clientConnection());
    try (ApiServer api = ClusterAccess.open(next, version)) {
      if (isSame) {
        return;
      }
      String name = URLEncoder.encode(ClusterAccess.nodeName(wanted), StandardCharsets.UTF_8);
      try (ApiResponse answer =
          api.get("/api/v1/nodes?fieldSelector=metadata.name%3D" + name, "application/json")) {
        if (answer.status() >= 400) {
          add("clientConnection", api.address() + " answers " + answer.status());
        }
      }
    } catch (IOException e) {
      add("clientConnection", e.getMessage());
    } catch (ConfigException e) {
      errors.addAll(e.errors());
    }
  }

  /** The addresses and pod CIDRs of the node have to fit. */
  private void node(@Nullable Node node) {
    boolean isOther =
        !ClusterAccess.nodeName(wanted).equals(ClusterAccess.nodeName(running.configuration()));
    if (node == null || isOther) {
      return;
    }
    if (wanted.detectLocalMode().equals("NodeCIDR") && node.podCidrs().isEmpty()) {
      add(
          "detectLocalMode",
          "NodeCIDR, but the Node "
              + node.name()
              + " has no pod CIDR; allocate one, or use another detectLocalMode");
    }
    try {
      NodeIps decided = NodeIps.decide(wanted, NodePlan.addresses(node));
      ClusterShape shape =
          new ClusterShape(decided.primary(), decided.byFamily().size() > 1, node.podCidrs());
      errors.addAll(Finding.errors(next.questionableIn(shape)));
    } catch (ConfigException e) {
      errors.addAll(e.errors());
    }
  }

  /** A port that has to open is tried, unless it may be our own that is in the way. */
  private void port(String path, String before, String now) {
    if (!wanted.bindAddressHardFail() || now.isEmpty() || now.equals(before)) {
      return;
    }
    BindAddress address = BindAddress.parse(now);
    boolean isOurs = !before.isEmpty() && BindAddress.parse(before).port() == address.port();
    if (isOurs) {
      return;
    }
    try {
      address.probe();
    } catch (PortUnavailableException e) {
      add(path, "cannot listen on " + address + ": " + e.getMessage() + "; choose a free port");
    }
  }

  /** What another mode, or another scheduler, needs of the host has to be there. */
  private void backend() {
    ProxyConfiguration before = running.configuration();
    if (before.mode() == wanted.mode() && before.ipvs().equals(wanted.ipvs())) {
      return;
    }
    try {
      KernelModes.rules(wanted.mode(), ModeConfiguration.of(next)).open().backend().close();
    } catch (BackendException e) {
      add("mode", e.getMessage());
    }
  }
}

package dev.portolan.doctor;

import dev.portolan.apiserver.ApiAccess;
import dev.portolan.apiserver.ApiException;
import dev.portolan.apiserver.InCluster;
import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.gates.Platform;
import dev.portolan.modes.ModeConfiguration;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Nodes for tests. */
public final class Patient {
  private Patient() {}

  /** A node without a daemon and without an API server, configured as {@code yaml} says. */
  public static Subject of(Optional<Path> namespace, Path socket, String yaml) {
    return of(namespace, socket, yaml, Patient::none, List.of());
  }

  /** A node with a way to an API server. */
  public static Subject of(
      Optional<Path> namespace,
      Path socket,
      String yaml,
      ApiAccess.Search access,
      List<Path> secrets) {
    StartPlan plan =
        (StartPlan)
            Start.of(
                List.of("--config=test"),
                file ->
                    "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n"
                        + yaml,
                Platform.LINUX);
    return new Subject(
        namespace, plan, true, ModeConfiguration.of(plan).in(namespace), socket, access, secrets);
  }

  private static ApiAccess none() throws ApiException {
    return InCluster.find("give --kubeconfig");
  }
}

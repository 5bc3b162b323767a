package dev.portolan.cli.options;

import dev.portolan.apiserver.ApiAccess;
import dev.portolan.apiserver.ApiException;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.apiserver.ClientLimits;
import dev.portolan.apiserver.InCluster;
import dev.portolan.apiserver.Kubeconfig;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.source.kube.KubeSource;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The cluster behind an API server, all of its nodes. */
final class ApiCluster implements Source {
  private static final float REQUESTS_A_SECOND = 50;
  private static final int BURST = 100;

  private final ApiAccess access;

  private ApiCluster(ApiAccess access) {
    this.access = access;
  }

  /**
   * The cluster of a kubeconfig file; without one that of kubectl, or of the pod that this is.
   *
   * @param kubeconfig the path of the file, or nothing
   */
  static ApiCluster of(String kubeconfig) {
    try {
      Optional<Path> file = kubeconfig.isEmpty() ? usual() : Optional.of(Path.of(kubeconfig));
      return new ApiCluster(
          file.isPresent() ? Kubeconfig.read(file.get(), Optional.empty()) : InCluster.find());
    } catch (ApiException e) {
      throw CommandFailure.input(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    }
  }

  /** Where kubectl looks. */
  static Optional<Path> usual() {
    String named = System.getenv("KUBECONFIG");
    if (named != null && !named.isEmpty()) {
      return Optional.of(Path.of(named.split(":", 2)[0]));
    }
    return Optional.of(Path.of(System.getProperty("user.home"), ".kube", "config"))
        .filter(Files::exists);
  }

  @Override
  public void run(Sink sink) throws InterruptedException {
    ClientLimits limits =
        new ClientLimits(REQUESTS_A_SECOND, BURST, "portolan/" + OwnVersion.text());
    try (ApiServer api = ApiServer.connect(access, limits)) {
      new KubeSource(api, Optional.empty(), KubeSource.Options.DEFAULT).run(sink);
    }
  }

  /** Where the API server is. */
  @Override
  public String toString() {
    return access.server().toString();
  }
}

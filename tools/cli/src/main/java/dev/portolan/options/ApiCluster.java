package dev.portolan.options;

import dev.portolan.apiserver.ApiAccess;
import dev.portolan.apiserver.ApiException;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.apiserver.ClientLimits;
import dev.portolan.apiserver.InCluster;
import dev.portolan.apiserver.Kubeconfig;
import dev.portolan.apiserver.ObjectPages;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.source.kube.KubeSource;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import dev.portolan.text.Field;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The cluster behind an API server: all of its nodes, and what no proxy serves, too. */
final class ApiCluster implements Source {
  private static final float REQUESTS_A_SECOND = 50;
  private static final int BURST = 100;

  private final ApiAccess access;
  private final KubeSource.Options options;

  /** What is read, once it is. */
  private volatile @Nullable KubeSource reading;

  private ApiCluster(ApiAccess access, KubeSource.Options options) {
    this.access = access;
    this.options = options;
  }

  /** The same, read in another way. */
  ApiCluster with(UnaryOperator<KubeSource.Options> change) {
    return new ApiCluster(access, change.apply(options));
  }

  /**
   * The cluster of a kubeconfig file; without one that of kubectl, or of the pod that this is.
   *
   * @param kubeconfig the path of the file, or nothing
   */
  static ApiCluster of(String kubeconfig, KubeOptions options) {
    try {
      List<Path> files = kubeconfig.isEmpty() ? KubeOptions.usual() : List.of(Path.of(kubeconfig));
      if (files.isEmpty() && options.context().isPresent()) {
        throw CommandFailure.input(
            "--context: no kubeconfig file found; set KUBECONFIG, or give --kubeconfig");
      }
      return new ApiCluster(
          options.as(
              files.isEmpty()
                  ? InCluster.find("set KUBECONFIG, or give --kubeconfig")
                  : Kubeconfig.read(files, options.context())),
          KubeSource.Options.DEFAULT.withEverything());
    } catch (ApiException e) {
      throw CommandFailure.input(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    } catch (InvalidPathException e) {
      throw CommandFailure.usage(Text.printable("--kubeconfig: " + e.getInput() + ": not a path"));
    }
  }

  @Override
  public void run(Sink sink) throws InterruptedException {
    try (ApiServer api = connect()) {
      KubeSource source = new KubeSource(api, Optional.empty(), options);
      reading = source;
      source.run(sink);
    }
  }

  @Override
  public Map<String, String> versions() {
    KubeSource source = reading;
    return source == null ? Map.of() : source.versions();
  }

  @Override
  public Duration silence() {
    KubeSource source = reading;
    return source == null ? Duration.ZERO : source.silence();
  }

  /** Hands over the whole objects at a path; returns why the server refuses, if it does. */
  Optional<String> list(String path, Consumer<Field> objects) {
    try (ApiServer api = connect()) {
      return new ObjectPages(api).list(path, objects);
    } catch (ApiException e) {
      throw CommandFailure.input(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      throw CommandFailure.input("interrupted while " + this + " was read");
    }
  }

  private ApiServer connect() {
    return ApiServer.connect(
        access, new ClientLimits(REQUESTS_A_SECOND, BURST, "portolan/" + OwnVersion.text()));
  }

  /** Where the API server is. */
  @Override
  public String toString() {
    return access.server().toString();
  }
}

package dev.portolan.options;

import dev.portolan.apiserver.ApiAccess;
import dev.portolan.apiserver.ApiException;
import dev.portolan.apiserver.Kubeconfig;
import dev.portolan.terminal.CommandFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How {@code --from kube} reaches its API server, with kubectl's options. */
public final class KubeOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "With --from kube: the kubeconfig file. Default: as kubectl.")
  private String kubeconfig = "";

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "With --from kube: the kubeconfig's context. Default: its current one.")
  private String context = "";

  @Option(
      names = "--as",
      paramLabel = "USER",
      description = "With --from kube: the user to impersonate.")
  private String user = "";

  @Option(
      names = "--as-group",
      paramLabel = "GROUP",
      description = "With --from kube: a group to impersonate; can be repeated.")
  private @Nullable List<String> groups;

  /** The files where kubectl looks, if they exist. */
  public static List<Path> usual() {
    return Kubeconfig.usual(System.getenv(), Path.of(System.getProperty("user.home")));
  }

  /** The file that was named, or nothing. */
  String kubeconfig() {
    return kubeconfig;
  }

  /** The context that was named, if any. */
  Optional<String> context() {
    return Optional.of(context).filter(name -> !name.isEmpty());
  }

  /** The way to the server in the name of the user that was given. */
  ApiAccess as(ApiAccess access) throws ApiException {
    List<String> named = NodeSettingsOptions.given(groups);
    if (user.isEmpty() && !named.isEmpty()) {
      throw CommandFailure.usage("--as-group needs --as; add it");
    }
    return user.isEmpty() ? access : access.impersonating(user, named);
  }

  /** The first of these options that was given. */
  Optional<String> given() {
    return !kubeconfig.isEmpty()
        ? Optional.of("--kubeconfig")
        : !context.isEmpty()
            ? Optional.of("--context")
            : !user.isEmpty()
                ? Optional.of("--as")
                : NodeSettingsOptions.given(groups).isEmpty()
                    ? Optional.empty()
                    : Optional.of("--as-group");
  }
}

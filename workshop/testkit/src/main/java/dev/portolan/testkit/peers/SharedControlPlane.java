package dev.portolan.testkit.peers;

import dev.portolan.core.error.Threads;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The API server that the test classes of a process use one after the other, as starting one takes
 * longer than most tests. It ends with the process.
 */
public final class SharedControlPlane {
  /** What tests write into namespaces, by the API group; without what the server itself writes. */
  private static final List<String> NAMESPACED =
      List.of(
          "/api/v1/namespaces/%s/services?labelSelector=component!=apiserver",
          "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices"
              + "?labelSelector=kubernetes.io/service-name!=kubernetes",
          "/apis/apps/v1/namespaces/%s/deployments?",
          "/api/v1/namespaces/%s/pods?gracePeriodSeconds=0",
          "/api/v1/namespaces/%s/serviceaccounts?",
          "/api/v1/namespaces/%s/secrets?",
          "/api/v1/namespaces/%s/events?");

  private static final List<String> CLUSTER_WIDE =
      List.of(
          "/api/v1/nodes",
          "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"
              + "?labelSelector=!kubernetes.io/bootstrapping",
          "/apis/rbac.authorization.k8s.io/v1/clusterroles"
              + "?labelSelector=!kubernetes.io/bootstrapping");

  private static final Pattern NAMESPACE = Pattern.compile("\"metadata\":\\{\"name\":\"([^\"]+)\"");

  private static @Nullable ControlPlane plane;

  private SharedControlPlane() {}

  /**
   * The server, with nothing of the class before in it. It is started where it was never used or
   * left stopped, and is not to be closed.
   */
  public static synchronized ControlPlane empty() {
    if (plane == null) {
      ControlPlane started = new ControlPlane();
      Runtime.getRuntime()
          .addShutdownHook(Threads.platform("control-plane-end").unstarted(started::close));
      plane = started;
      return started;
    }
    if (!plane.isReady()) {
      plane.startServer();
    }
    clear(plane);
    return plane;
  }

  private static void clear(ControlPlane plane) {
    Matcher found = NAMESPACE.matcher(plane.request("GET", "/api/v1/namespaces", ""));
    while (found.find()) {
      String namespace = found.group(1);
      NAMESPACED.forEach(path -> plane.request("DELETE", path.formatted(namespace), ""));
      if (!namespace.equals("default") && !namespace.startsWith("kube-")) {
        remove(plane, namespace);
      }
    }
    CLUSTER_WIDE.forEach(path -> plane.request("DELETE", path, ""));
  }

  /** Removes an empty namespace; the controller that would finish this is not there. */
  private static void remove(ControlPlane plane, String namespace) {
    String path = "/api/v1/namespaces/" + namespace;
    plane.request("DELETE", path, "");
    plane.request(
        "PUT",
        path + "/finalize",
        """
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"},
         "spec": {"finalizers": []}}
        """
            .formatted(namespace));
  }
}

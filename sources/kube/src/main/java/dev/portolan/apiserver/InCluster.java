package dev.portolan.apiserver;

import dev.portolan.tls.Pem;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.Optional;

/** The way to the API server from inside of a pod, by its service account. */
public final class InCluster {
  private static final String HOST = "KUBERNETES_SERVICE_HOST";
  private static final String PORT = "KUBERNETES_SERVICE_PORT";
  private static final Path FOLDER = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  /** The token of the pod's service account. */
  public static final Path TOKEN = FOLDER.resolve("token");

  private InCluster() {}

  /**
   * The server of the cluster in which this process runs.
   *
   * @param remedy what to do where it does not run in one
   */
  public static ApiAccess find(String remedy) throws ApiException {
    return find(System.getenv(), FOLDER, remedy);
  }

  /** The same with another environment and folder than this process has. */
  static ApiAccess find(Map<String, String> environment, Path folder, String remedy)
      throws ApiException {
    String host = environment.getOrDefault(HOST, "");
    String port = environment.getOrDefault(PORT, "");
    if (host.isEmpty() || port.isEmpty()) {
      throw new ApiException(
          "no API server was named, and this process does not run in a pod: "
              + (host.isEmpty() ? HOST : PORT)
              + " is not set; "
              + remedy);
    }
    Path tokenFile = folder.resolve("token");
    Material token = Material.in(tokenFile);
    StoredCredentials credentials = StoredCredentials.none().withToken(token);
    try {
      credentials.login();
    } catch (ApiException e) {
      throw new ApiException(
          e.getMessage() + "; let the pod mount the token of its service account", e);
    }
    return ApiAccess.of(server(host, port), trust(folder.resolve("ca.crt")))
        .withCredentials(credentials);
  }

  private static URI server(String host, String port) throws ApiException {
    String bracketed = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    return ApiAccess.address("https://" + bracketed + ":" + port, true);
  }

  /** By the cluster's authority, or by the system's where the pod was not given one. */
  private static Trust trust(Path file) throws ApiException {
    if (!Files.exists(file)) {
      return Trust.SYSTEM;
    }
    Material authority = Material.in(file);
    try {
      Pem.certificates(authority.content());
    } catch (CertificateException e) {
      throw new ApiException(
          file + ": " + e.getMessage() + "; correct the ConfigMap kube-root-ca.crt", e);
    }
    return new Trust(Optional.of(authority), false, Optional.empty());
  }
}

package dev.portolan.cli.daemon;

import dev.portolan.testkit.peers.ControlPlane;

/** What the manifests grant the daemon where a taint is to be removed. */
final class PatchRight {
  private PatchRight() {}

  static void grant(ControlPlane plane) {
    plane.request(
        "POST",
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
         "metadata": {"name": "node-taint"},
         "rules": [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["patch"]}]}
        """);
    plane.request(
        "POST",
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
         "metadata": {"name": "node-taint"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                     "name": "node-taint"},
         "subjects": [{"kind": "User", "name": "system:kube-proxy"}]}
        """);
  }
}

package dev.portolan.testkit.peers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The real kubectl. */
public final class Kubectl {
  private Kubectl() {}

  /** Runs kubectl as the administrator of a server; returns what it printed. */
  public static String run(ControlPlane plane, String... words) {
    return runWithInput(plane, "", words);
  }

  /** The same, with something to read for it. */
  public static String runWithInput(ControlPlane plane, String input, String... words) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--kubeconfig=" + plane.adminKubeconfig(),
                "--cache-dir=" + plane.certificate().resolveSibling("kubectl-cache")));
    all.addAll(List.of(words));
    return Peers.run("kubectl", input, all);
  }

  /** The objects of a kustomization. */
  public static String kustomize(Path folder) {
    return Peers.run("kubectl", "", List.of("kustomize", folder.toString()));
  }
}

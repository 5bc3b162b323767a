package dev.portolan.deploy;

import dev.portolan.testkit.peers.Peers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The Helm chart, and the sets of values that it is tested with. */
final class Chart {
  private static final Path FOLDER = Path.of("deploy/chart/portolan");

  private Chart() {}

  /** Values, as {@code --set} takes them. */
  record Values(String name, List<String> set) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** The three shapes with as few values as they need. */
  static List<Values> shapes() {
    return List.of(
        values("own", "apiServer=https://api-server.example:6443", "clusterCIDR=10.244.0.0/16"),
        values("takeover", "shape=takeover"),
        values(
            "brain",
            "shape=brain",
            "apiServer=https://api-server.example:6443",
            "clusterCIDR=10.244.0.0/16",
            "brain.addresses={192.0.2.11,192.0.2.12,192.0.2.13}"));
  }

  /** The shapes, and some with all that can be switched on. */
  static List<Values> all() {
    List<Values> all = new ArrayList<>(shapes());
    all.add(
        values(
            "own-with-all",
            "apiServer=https://api-server.example:6443",
            "clusterCIDR=10.244.0.0/16\\,fd00:10:244::/56",
            "mode=iptables",
            "config.iptables.minSyncPeriod=1s",
            "config.nodePortAddresses={primary}",
            "balancing=maglev",
            "extraArgs={-v=2}",
            "nodeTaint=portolan.dev/not-ready",
            "rollout.surge=true",
            "rollout.nodes=3",
            "image.repository=registry.example/portolan",
            "imagePullSecrets[0].name=registry",
            "nodeSelector.pool=a",
            "podLabels.team=network",
            "podAnnotations.note=x",
            "metrics.podMonitor.enabled=true",
            "metrics.podMonitor.interval=30s",
            "metrics.podMonitor.labels.release=prometheus"));
    all.add(
        values(
            "takeover-with-all",
            "shape=takeover",
            "nodeSocket=false",
            "ebpf.takeover=true",
            "ebpf.endSockets=false",
            "nodeTaint=portolan.dev/not-ready",
            "image.tag=own-build",
            "metrics.podMonitor.enabled=true"));
    all.add(
        values(
            "brain-with-all",
            "shape=brain",
            "apiServer=https://api-server.example:6443",
            "mode=ebpf",
            "brain.host=brain.example",
            "brain.replicas=3",
            "balancing=maglev-address",
            "brain.extraArgs={--service-metadata}",
            "brain.tls.nodeHostPath=/etc/portolan/tls",
            "brain.tls.certManager.enabled=true",
            "metrics.podMonitor.enabled=true"));
    all.add(
        values(
            "brain-with-an-issuer",
            "shape=brain",
            "apiServer=https://api-server.example:6443",
            "brain.addresses={192.0.2.11}",
            "brain.tls.certManager.enabled=true",
            "brain.tls.certManager.issuerRef.name=company",
            "brain.tls.certManager.issuerRef.kind=ClusterIssuer",
            "metrics.service=true"));
    return all;
  }

  private static Values values(String name, String... set) {
    return new Values(name, List.of(set));
  }

  /** The objects that the chart makes of values, in kube-system. */
  static String template(List<String> set) {
    return helm("template", set, "--namespace=kube-system");
  }

  /** Runs helm on the chart. */
  static String helm(String verb, List<String> set, String... options) {
    List<String> words = new ArrayList<>(List.of(verb));
    if (verb.equals("template")) {
      // A helm that is built without its release's flags takes the cluster for an old one.
      words.addAll(List.of("--kube-version=1.37.1", "portolan"));
    }
    words.add(FOLDER.toString());
    words.addAll(List.of(options));
    set.forEach(one -> words.add("--set=" + one));
    return Peers.run("helm", "", words);
  }
}

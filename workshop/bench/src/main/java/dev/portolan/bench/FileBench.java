package dev.portolan.bench;

import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.source.file.Manifests;

/** How fast manifests are read. */
final class FileBench {
  private FileBench() {}

  static void run(Report report) {
    report.progress("manifests of 2,000 services x 10 endpoints");
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      yaml.append(
          """
          ---
          apiVersion: v1
          kind: Service
          metadata: {name: s%1$d, namespace: shop, labels: {app: s%1$d}}
          spec:
            clusterIP: 10.96.%2$d.%3$d
            ports:
            - {name: http, port: 80, targetPort: 8080, protocol: TCP}
          ---
          apiVersion: discovery.k8s.io/v1
          kind: EndpointSlice
          metadata:
            name: s%1$d-x
            namespace: shop
            labels:
              kubernetes.io/service-name: s%1$d
          addressType: IPv4
          ports:
          - {name: http, port: 8080, protocol: TCP}
          endpoints:
          """
              .formatted(i, i / 250, 1 + i % 250));
      for (int e = 0; e < 10; e++) {
        yaml.append(
            """
            - addresses: [10.%d.%d.%d]
              conditions: {ready: true, serving: true, terminating: false}
              nodeName: node-%d
            """
                .formatted(128 + e, i / 250, 1 + i % 250, e));
      }
    }
    String text = yaml.toString();
    Samples samples = Samples.of(3, 5, i -> Manifests.parse("bench.yaml", text));
    report.value("YAML read", text.length() / 1e6 / samples.millis(0.5) * 1e3, "MB/s");
    report.value("services with their slices read", 2_000 / samples.millis(0.5) * 1e3, "/s");
  }
}

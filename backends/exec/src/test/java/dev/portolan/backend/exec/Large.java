package dev.portolan.backend.exec;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Backend;
import dev.portolan.source.file.Manifests;
import dev.portolan.sync.Keeper;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cluster whose state is larger than what a pipe holds. */
final class Large implements AutoCloseable {
  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("worker-1", NodeSettings.DEFAULT);

  Large() {
    String services =
        IntStream.range(0, 500)
            .mapToObj(i ->
                """
                apiVersion: v1
                kind: Service
                metadata: {namespace: large, name: s%d}
                spec:
                  clusterIP: 10.96.%d.%d
                  ports: [{port: 80}]
                """
                    .formatted(i, i / 250, i % 250 + 1))
            .collect(Collectors.joining("---\n"));
    brain.apply(Manifests.parse("large", services).image());
  }

  Keeper keeper(Backend backend) {
    return Shop.keeper(view, backend);
  }

  @Override
  public void close() {
    view.close();
  }
}

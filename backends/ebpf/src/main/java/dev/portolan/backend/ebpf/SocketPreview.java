package dev.portolan.backend.ebpf;

import dev.portolan.backend.ebpf.SocketTarget.Forwarded;
import dev.portolan.backend.ebpf.SocketTarget.PoolName;
import dev.portolan.backend.ebpf.SocketTarget.Refused;
import dev.portolan.bpf.CgroupLink;
import dev.portolan.bpf.SocketHook;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** What a first sync would change about sockets; nothing is written. */
final class SocketPreview {
  private SocketPreview() {}

  /** One line per difference: a sign, and what is different. */
  static List<String> of(NodeImage image, Path folder) {
    List<String> lines = new ArrayList<>();
    for (SocketHook hook : SocketHook.values()) {
      Optional<CgroupLink> link = CgroupLink.pinned(folder.resolve(hook.toString()));
      link.ifPresentOrElse(CgroupLink::close, () -> lines.add("+ link " + hook));
    }
    Map<String, String> there = there(folder);
    Map<String, String> wanted = wanted(SocketTable.of(image));
    wanted.forEach((frontend, target) -> {
      String now = there.get(frontend);
      if (!target.equals(now)) {
        lines.add((now == null ? "+" : "~") + " socket " + frontend + ": " + target);
      }
    });
    there.keySet().stream()
        .filter(frontend -> !wanted.containsKey(frontend))
        .forEach(frontend -> lines.add("- socket " + frontend));
    return lines;
  }

  private static Map<String, String> wanted(SocketTable table) {
    Map<String, String> texts = new TreeMap<>();
    table
        .frontends()
        .forEach((frontend, target) ->
            texts.put(
                frontend.toString(),
                switch (target) {
                  case Refused() -> "refused";
                  case Forwarded(PoolName pool, int affinity) ->
                      text(
                          Objects.requireNonNull(table.pools().get(pool)).chosen().stream()
                              .map(Endpoint::toString)
                              .toList(),
                          affinity);
                }));
    return texts;
  }

  /** Where sockets go by what is pinned, by the address that they ask for. */
  static Map<String, String> there(Path folder) {
    Map<String, String> texts = new TreeMap<>();
    for (SocketTranslation each : SocketTranslation.in(folder)) {
      List<String> endpoints = new ArrayList<>();
      each.endpoints().forEach(endpoint -> endpoints.add(endpoint.toString()));
      endpoints.addAll(Collections.nCopies(each.missing(), "missing"));
      texts.put(
          new SocketFrontend(each.address(), each.port(), each.protocol()).toString(),
          each.isRefused() ? "refused" : text(endpoints, each.affinity()));
    }
    return texts;
  }

  private static String text(List<String> endpoints, int affinity) {
    return String.join(", ", endpoints) + (affinity == 0 ? "" : " for " + affinity + " s");
  }
}

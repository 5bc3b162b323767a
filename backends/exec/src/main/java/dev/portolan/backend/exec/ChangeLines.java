package dev.portolan.backend.exec;

import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeTree;
import dev.portolan.core.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A change as lines of JSON, each an object with one thing in it. They are made while they are
 * written, so that a large state is never held as text.
 */
final class ChangeLines {
  private ChangeLines() {}

  /** The whole state. */
  static Stream<String> whole(NodeImage image, ExecOptions.Format format) {
    return framed(
        image.revision(),
        0,
        Stream.concat(
            format == ExecOptions.Format.KPNG ? Stream.empty() : Stream.of(node(image.facts())),
            services(image, format)));
  }

  /** The services alone. */
  static Stream<String> services(NodeImage image, ExecOptions.Format format) {
    Stream<NodeService> services = StreamSupport.stream(image.services().spliterator(), false);
    return switch (format) {
      case PORTOLAN -> services.map(ChangeLines::set);
      case KPNG -> services.map(service -> Json.line(KpngTree.of(service, image.facts())));
    };
  }

  /** What is different. Deletions come first, so that what they free can be taken again. */
  static Stream<String> change(NodeChange change) {
    return framed(
        change.after().revision(),
        change.before().revision(),
        Stream.of(
                change.factsChanged()
                    ? Stream.of(node(change.after().facts()))
                    : Stream.<String>empty(),
                change.removed().stream().map(ChangeLines::delete),
                change.set().stream().map(ChangeLines::set))
            .flatMap(lines -> lines));
  }

  /** The wish that every trace be removed. */
  static Stream<String> cleanup() {
    return Stream.of(Json.line(Map.of("cleanup", true)));
  }

  private static Stream<String> framed(long revision, long from, Stream<String> lines) {
    Map<String, Object> begin = new LinkedHashMap<>();
    begin.put("begin", revision);
    begin.put("from", from);
    return Stream.of(
            Stream.of(Json.line(begin)), lines, Stream.of(Json.line(Map.of("end", revision))))
        .flatMap(part -> part);
  }

  private static String node(NodeFacts facts) {
    return Json.line(Map.of("node", NodeTree.facts(facts)));
  }

  private static String set(NodeService service) {
    return Json.line(Map.of("set", NodeTree.service(service)));
  }

  private static String delete(NodeService service) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("namespace", service.name().namespace());
    tree.put("name", service.name().name());
    return Json.line(Map.of("delete", tree));
  }
}

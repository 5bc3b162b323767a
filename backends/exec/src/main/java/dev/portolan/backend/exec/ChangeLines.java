package dev.portolan.backend.exec;

import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.text.Json;
import dev.portolan.core.text.Tree;
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
    return Stream.of(
            Stream.of(line(new Begin(revision, from))),
            lines,
            Stream.of(Json.line(Map.of("end", revision))))
        .flatMap(part -> part);
  }

  private record Begin(long begin, long from) {}

  private static String node(NodeFacts facts) {
    return line(Map.of("node", facts));
  }

  private static String set(NodeService service) {
    return line(Map.of("set", service));
  }

  private static String delete(NodeService service) {
    return line(Map.of("delete", Tree.of(service.name())));
  }

  private static String line(Object value) {
    return Json.line(Tree.of(value));
  }
}

package dev.portolan.audit;

import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.walk.Ruleset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Compares rules as a kernel has them with what is decided for its node. Nothing is written.
 *
 * @param dataplane what the rules are to do with what is decided
 * @param own what a sync with our own settings would change, given an image; empty for rules that
 *     another program wrote
 */
public record KernelAudit(
    Dataplane dataplane, Ruleset rules, NodeInterfaces interfaces, Optional<RulePreview> own) {
  /** What a sync would change in the kernel, line by line. */
  public interface RulePreview {
    /** Lines that begin with {@code +}, {@code -} or {@code ~}. */
    List<String> lines(NodeImage image);
  }

  /** Compares with {@code image}. */
  public AuditResult compare(NodeImage image) {
    return compare(image, service -> true);
  }

  /** The same; packets are walked to {@code chosen} services only. */
  public AuditResult compare(NodeImage image, Predicate<NodeService> chosen) {
    PacketAudit packets = new PacketAudit(image, dataplane, rules, interfaces, own.isPresent());
    List<AuditDifference> differences = new ArrayList<>(packets.compare(chosen));
    own.ifPresent(preview -> differences.addAll(RuleLines.differences(preview.lines(image))));
    return new AuditResult(
        rules.description(),
        image.revision(),
        image.services().size(),
        packets.packets(),
        own.isPresent(),
        interfaces.lacking(image.facts()),
        differences);
  }
}

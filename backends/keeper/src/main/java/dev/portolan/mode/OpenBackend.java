package dev.portolan.mode;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeImage;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A backend that is open, and what of it those have to know who run it.
 *
 * @param description what it programs the kernel with, such as {@code nftables, table portolan}
 * @param own what it writes itself, which is not a leftover
 * @param preview what a first sync would change in the kernel, line by line
 * @param drift the same without what its next change removes anyway
 * @param replaced what of another program's the first sync replaced
 */
public record OpenBackend(
    String description,
    Backend backend,
    Set<Own> own,
    Function<NodeImage, List<String>> preview,
    Function<NodeImage, List<String>> drift,
    Supplier<List<String>> replaced) {}

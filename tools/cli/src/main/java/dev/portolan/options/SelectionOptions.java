package dev.portolan.options;

import dev.portolan.terminal.Choice;
import dev.portolan.terminal.query.LabelSelector;
import dev.portolan.terminal.view.ServiceFilter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which services are meant. A node serves all namespaces, so all of them are the default. */
public final class SelectionOptions {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Only services in this namespace. Default: all namespaces.")
  private @Nullable String namespace;

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Services in all namespaces, even with -n.")
  private boolean all;

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "SELECTOR",
      description =
          "Only services with these labels, as in app=web,tier!=db or 'env in (a,b)'. With --api,"
              + " the server must keep labels (--service-metadata).")
  private String selector = "";

  /** The labels that are meant, if labels count. */
  public Optional<LabelSelector> selector() {
    return selector.isEmpty()
        ? Optional.empty()
        : Optional.of(Choice.read("-l", () -> LabelSelector.parse(selector)));
  }

  /** The namespace, if there is only one. */
  public Optional<String> namespace() {
    return all ? Optional.empty() : Optional.ofNullable(namespace);
  }

  /** The services that are meant; of {@code names} where there are any. */
  public ServiceFilter filter(List<String> names) {
    return new ServiceFilter(namespace(), names);
  }
}

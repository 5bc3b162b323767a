package dev.portolan.server;

import dev.portolan.api.v1.TrafficReply;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.node.Dataplane;
import dev.portolan.server.access.Access;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * How a brain is served.
 *
 * @param settings what the operator says of every node
 * @param only the one node that is served, where it is not every node
 * @param defaultNode the node meant by clients that don't name one; without it they are refused
 * @param source where the brain reads, in words
 * @param places where an object of the cluster is written, as far as that is known
 * @param dataplanes the modes that explanations may be asked about; the first one where none is
 *     named
 * @param version of the program that serves
 * @param metadata whether clients may ask for labels and annotations, which the source keeps
 * @param traffic what was counted of the traffic of services, asked by several threads
 * @param log gets a sentence for each client that comes or goes, on several threads
 */
public record Options(
    NodeSettings settings,
    Optional<NodeView> only,
    List<ListenAddress> listeners,
    Optional<String> defaultNode,
    Access access,
    Limits limits,
    String source,
    Function<ObjectRef, Optional<String>> places,
    List<Dataplane> dataplanes,
    String version,
    boolean metadata,
    Supplier<TrafficReply> traffic,
    Consumer<String> log) {
  public Options {
    listeners = List.copyOf(listeners);
    dataplanes = List.copyOf(dataplanes);
  }

  /** Starts with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  private static TrafficReply notCounted() {
    return TrafficReply.newBuilder()
        .setNotCounted(
            "a brain has no traffic; ask the daemon of a node, such as --api"
                + " unix:///run/portolan/node.sock")
        .build();
  }

  /** Collects options. */
  public static final class Builder {
    private NodeSettings settings = NodeSettings.DEFAULT;
    private Optional<NodeView> only = Optional.empty();
    private List<ListenAddress> listeners = List.of();
    private Optional<String> defaultNode = Optional.empty();
    private Access access = Access.DEFAULT;
    private Limits limits = Limits.DEFAULT;
    private String source = "";
    private Function<ObjectRef, Optional<String>> places = object -> Optional.empty();
    private List<Dataplane> dataplanes = List.of(Dataplane.EXACT);
    private String version = "";
    private boolean metadata;
    private Supplier<TrafficReply> traffic = Options::notCounted;
    private Consumer<String> log = line -> {};

    private Builder() {}

    /** What the operator says of every node. */
    public Builder settings(NodeSettings settings) {
      this.settings = settings;
      return this;
    }

    /** Serves one node alone, as {@code view} has it, and not the cluster. */
    public Builder only(NodeView view) {
      this.only = Optional.of(view);
      return defaultNode(view.node());
    }

    /** Where to listen. */
    public Builder listeners(List<ListenAddress> listeners) {
      this.listeners = listeners;
      return this;
    }

    /** Where to listen. */
    public Builder listen(ListenAddress... listeners) {
      return listeners(List.of(listeners));
    }

    /** The node meant by clients that don't name one. */
    public Builder defaultNode(String node) {
      this.defaultNode = Optional.of(node);
      return this;
    }

    /** Access rules. */
    public Builder access(Access access) {
      this.access = access;
      return this;
    }

    /** What clients may take. */
    public Builder limits(Limits limits) {
      this.limits = limits;
      return this;
    }

    /** Where the brain reads, in words. */
    public Builder source(String source) {
      this.source = source;
      return this;
    }

    /** Where an object of the cluster is written, as far as that is known. */
    public Builder places(Function<ObjectRef, Optional<String>> places) {
      this.places = places;
      return this;
    }

    /** The modes that explanations may be asked about, the usual one first. */
    public Builder dataplanes(List<Dataplane> dataplanes) {
      this.dataplanes = dataplanes;
      return this;
    }

    /** The version of the program that serves. */
    public Builder version(String version) {
      this.version = version;
      return this;
    }

    /** Whether clients may ask for labels and annotations, which the source keeps. */
    public Builder metadata(boolean kept) {
      this.metadata = kept;
      return this;
    }

    /** What was counted of the traffic of services; several threads may ask. */
    public Builder traffic(Supplier<TrafficReply> counts) {
      this.traffic = counts;
      return this;
    }

    /** Logs each client that connects or disconnects. */
    public Builder log(Consumer<String> log) {
      this.log = log;
      return this;
    }

    /** The options. */
    public Options build() {
      return new Options(
          settings,
          only,
          listeners,
          defaultNode,
          access,
          limits,
          source,
          places,
          dataplanes,
          version,
          metadata,
          traffic,
          log);
    }
  }
}

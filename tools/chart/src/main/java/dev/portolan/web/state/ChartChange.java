package dev.portolan.web.state;

import dev.portolan.compare.FieldChange;
import dev.portolan.compare.ObjectDiff;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.text.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What differs between two states of a chart, however many revisions lie between them.
 *
 * @param truncated that more differs than is listed, so that all of it is better read again
 */
public record ChartChange(
    List<ServiceRow> services,
    List<NamespacedName> removed,
    List<ObjectChange> changes,
    boolean truncated) {
  private static final ChartChange ALL = new ChartChange(List.of(), List.of(), List.of(), true);
  private static final int MOST_ROWS = 500;
  private static final int MOST_CHANGES = 300;

  /** A field of an object that changed, and the service that the object belongs to, if any. */
  public record ObjectChange(FieldChange change, Optional<NamespacedName> service)
      implements Tree.Shown {
    private record Form(
        ObjectRef object,
        String field,
        String from,
        String to,
        String text,
        Optional<NamespacedName> service) {}

    @Override
    public Object shown() {
      return new Form(
          change.object(), change.field(), change.before(), change.after(), change.text(), service);
    }
  }

  /** Compares two states; what they share costs nothing. */
  public static ChartChange between(ChartState before, ChartState after) {
    if (!before.decision().isSynced() && after.decision().isSynced()) {
      return ALL;
    }
    List<ServiceRow> services = new ArrayList<>();
    List<NamespacedName> removed = new ArrayList<>();
    before
        .rows()
        .diff(
            after.rows(),
            (name, old, now) -> {
              if (now == null) {
                removed.add(name);
              } else {
                services.add(now);
              }
            });
    if (services.size() + removed.size() > MOST_ROWS) {
      return ALL;
    }
    ClusterImage old = before.decision().cluster();
    ClusterImage now = after.decision().cluster();
    List<ObjectChange> changes =
        ObjectDiff.between(old, now).stream()
            .limit(MOST_CHANGES)
            .map(change -> new ObjectChange(change, owner(change, old, now)))
            .toList();
    return new ChartChange(services, removed, changes, false);
  }

  private static Optional<NamespacedName> owner(
      FieldChange change, ClusterImage old, ClusterImage now) {
    String text = change.object().name();
    int slash = text.indexOf('/');
    if (slash < 0) {
      return Optional.empty();
    }
    NamespacedName name = new NamespacedName(text.substring(0, slash), text.substring(slash + 1));
    if (change.object().kind().equals("Service")) {
      return Optional.of(name);
    }
    EndpointSlice slice = now.slices().get(name);
    if (slice == null) {
      slice = old.slices().get(name);
    }
    return slice == null ? Optional.empty() : slice.service();
  }
}

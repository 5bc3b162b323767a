package dev.portolan.client;

/**
 * A state of a server. Revisions of one instance can be compared, those of two cannot.
 *
 * @param instance drawn at random by the server when it began to decide for the node, and so
 *     another one after its restart; to be read without a sign
 */
public record Position(long instance, long revision) {
  /** No state, or one of a server that does not say which. */
  public static final Position NONE = new Position(0, 0);

  static Position of(dev.portolan.api.localv1.Position message) {
    return new Position(message.getInstance(), message.getRevision());
  }

  dev.portolan.api.localv1.Position message() {
    return dev.portolan.api.localv1.Position.newBuilder()
        .setInstance(instance)
        .setRevision(revision)
        .build();
  }

  /** {@code instance/revision}. */
  @Override
  public String toString() {
    return Long.toUnsignedString(instance) + "/" + Long.toUnsignedString(revision);
  }
}

package dev.portolan.source.kube;

/**
 * What the watch of one resource is doing. {@link Transition#next} is the table of how one phase
 * leads to another; {@link ResourceWatch} carries the phases out.
 *
 * <pre>
 *              start
 *                |
 *                v
 *     +-------> List
 *     |          |
 *     |          | complete
 *     |          v
 *     +---- Watch(version)
 *     |       |      ^
 *     | fails |      | the server is at this version or a later one
 *     |       v      |
 *     +---- Verify(version)
 *
 *     any phase --- 404, optional resource ---> Absent --- after a while ---> start
 * </pre>
 *
 * <p>The arrow on the left reads everything again: because the server no longer keeps the version
 * (410), because it ended the watch with an error, because it sent bytes that make no sense three
 * times in a row, or because it went back to an earlier version, as after a restore.
 *
 * <p>A list comes whole out of the server's cache, which may lag behind: so the server is asked for
 * its version first, and the list may not be older. It is one packed answer, which costs both sides
 * less than a watch that begins with the current objects (KEP-3157). What is read again replaces
 * what is held once all of it has arrived: no gap shows in between, and objects that were deleted
 * meanwhile go away with it.
 *
 * <p>A version is a promise of the server. After a failure that may have been a restart, {@code
 * Verify} asks which version the server is at before the watch is resumed.
 */
sealed interface Phase {
  /** Reads everything. */
  record List() implements Phase {}

  /** Follows what changes after {@code version}. */
  record Watch(String version) implements Phase {}

  /** Asks whether the server still knows {@code version}. */
  record Verify(String version) implements Phase {}

  /** Goes without a resource that this server does not have. */
  record Absent() implements Phase {}

  /** The version up to which the resource is known; empty where everything has to be read. */
  default String version() {
    return "";
  }
}

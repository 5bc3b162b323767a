package dev.portolan.source.kube;

/**
 * What the watch of one resource is doing. {@link Transition#next} is the table of how one phase
 * leads to another; {@link ResourceWatch} carries the phases out.
 *
 * <pre>
 *              start
 *                |
 *                v         cannot stream: 400, 403, 422, or silent
 *     +---> StreamingList ----------------------------------> PagedList
 *     |          |                                                |
 *     |          | complete                                       | complete
 *     |          v                                                |
 *     +---- Watch(version) <--------------------------------------+
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
 * times in a row, or because it went back to an earlier version, as after a restore. A server that
 * has rejected a streaming list as invalid is asked for pages there instead.
 *
 * <p>A streaming list is a watch that sends the current objects first (KEP-3157), so it becomes the
 * watch without another request. What is read again replaces what is held once all of it has
 * arrived: no gap shows in between, and objects that were deleted meanwhile go away with it.
 *
 * <p>A version is a promise of the server. After a failure that may have been a restart, {@code
 * Verify} asks which version the server is at before the watch is resumed.
 */
sealed interface Phase {
  /** Reads everything by a watch that sends the current objects first. */
  record StreamingList() implements Phase {}

  /** Reads everything page by page. */
  record PagedList() implements Phase {}

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

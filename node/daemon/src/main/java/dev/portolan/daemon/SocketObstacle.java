package dev.portolan.daemon;

import dev.portolan.core.error.ErrorCode;
import dev.portolan.telemetry.log.Log;
import java.util.Optional;
import java.util.function.Consumer;

/** Says in the log, and as an event of the Node, whether mode ebpf can do its part. */
final class SocketObstacle implements Consumer<Optional<String>> {
  private final Log log;
  private final ClusterEvents events;

  SocketObstacle(Log log, ClusterEvents events) {
    this.log = log;
    this.events = events;
  }

  @Override
  public void accept(Optional<String> obstacle) {
    if (obstacle.isEmpty()) {
      log.info("Sockets are translated again");
      events.aboutNode("Normal", "SocketsTranslated", "Sockets are translated again");
      return;
    }
    log.warn(
        "Mode ebpf works without its programs", "code", ErrorCode.HOST, "cause", obstacle.get());
    events.aboutNode(
        "Warning",
        "SocketsNotTranslated",
        "Mode ebpf works without its programs: " + obstacle.get());
  }
}

package dev.portolan.cli;

import dev.portolan.client.LinkListener;
import dev.portolan.client.RemoteNode;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import java.time.Duration;
import java.util.Optional;

/** The log of a node that a brain elsewhere decides for; the brain gets acknowledgements. */
final class RemoteRunLog extends RunLog implements LinkListener {
  private volatile Optional<RemoteNode> brain = Optional.empty();

  RemoteRunLog(Terminal terminal) {
    super(terminal);
  }

  /** Notifies the brain behind {@code remote} from now on. */
  RemoteRunLog reportTo(RemoteNode remote) {
    brain = Optional.of(remote);
    return this;
  }

  @Override
  public void applied(NodeImage before, NodeImage after, NodeDelta delta, Duration took) {
    brain.ifPresent(remote -> remote.applied(after));
    super.applied(before, after, delta, took);
  }

  @Override
  public void failed(BackendException failure, Duration pause) {
    brain.ifPresent(remote -> remote.failed(String.valueOf(failure.getMessage())));
    super.failed(failure, pause);
  }

  @Override
  public void connected() {
    say("connected to the brain");
  }

  @Override
  public void lost(String sentence) {
    say("lost the brain: " + sentence + "; keeping the last state and retrying");
  }
}

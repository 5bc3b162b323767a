package dev.portolan.cli.lab;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Namespace;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.Packet;
import dev.portolan.packets.Vigil;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Doorway;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A lab whose node reaches a real API server, and where a kube-proxy can run. */
final class ConnectedLab implements AutoCloseable {
  private static final String TIME_WAIT =
      "/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_time_wait";

  private final ControlPlane plane;
  private final Lab lab = Lab.open();
  private final Doorway door;

  ConnectedLab(ControlPlane plane) {
    this.plane = plane;
    try {
      // A client uses a port again after some minutes, and must not meet its own past.
      lab.node().exec("sh", "-c", "echo 10 > " + TIME_WAIT);
      this.door = new Doorway(new NetworkNamespace(lab.node().path()), plane.port());
    } catch (RuntimeException e) {
      lab.close();
      throw e;
    }
  }

  Lab lab() {
    return lab;
  }

  Namespace node() {
    return lab.node();
  }

  /** Starts our own program on the node. */
  NodeProcess portolan(Path folder, String... flags) throws IOException {
    return NodeProcess.portolan(lab.node(), plane, folder, flags);
  }

  /** Starts the real kube-proxy on the node; {@code programs} come first on its PATH. */
  NodeProcess kubeProxy(Path folder, Path programs, String mode) throws IOException {
    return NodeProcess.kubeProxy(lab.node(), plane, folder, programs, mode);
  }

  /** Waits until {@code process} has made every row of a vigil come true. */
  void awaitService(NodeProcess process) {
    for (Packet packet : Vigil.usual()) {
      process.await(packet.toString(), () -> LabJudge.isAsExpected(packet, ask(packet)));
    }
  }

  private Reply ask(Packet packet) {
    return lab.probe(packet.from())
        .ask(packet.protocol(), packet.address(), packet.port(), Probe.SHORT);
  }

  /** Waits until a pod of the node is answered on {@code addresses}. */
  void awaitAnswers(NodeProcess process, List<Ip> addresses) {
    for (Ip address : addresses) {
      process.await(
          address + " answers",
          () ->
              lab.probe(Actor.POD_A3).ask(Protocol.TCP, address, 80, Probe.SHORT)
                  instanceof Reply.Answered);
    }
  }

  /** The tables of nftables on the node. */
  List<String> tables() {
    return node().exec("nft", "list", "tables").lines().toList();
  }

  @Override
  public void close() {
    door.close();
    lab.close();
  }
}

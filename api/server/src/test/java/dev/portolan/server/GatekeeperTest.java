package dev.portolan.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.transport.Address;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.server.access.ClientLines;
import dev.portolan.server.access.Gatekeeper;
import dev.portolan.server.access.PeerRule;
import dev.portolan.testbase.Await;
import io.grpc.Status;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatekeeperTest {
  private static final WatchReq N1 = WatchReq.newBuilder().setNodeName("n1").build();

  @TempDir Path folder;

  @Test
  void aUserWhoMayNotConnectIsShownTheDoor() throws Exception {
    Path path = folder.resolve("brain.sock");
    List<String> log = new CopyOnWriteArrayList<>();
    PeerRule nobody = new PeerRule(Set.of(), Set.of());
    EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Channel listener =
          new ServerBootstrap()
              .group(loops)
              .channel(NioServerDomainSocketChannel.class)
              .handler(
                  new Gatekeeper(
                      new Address.Unix(path),
                      Optional.of(nobody),
                      10,
                      Limits.DEFAULT.silent(),
                      new ClientLines(log::add, System::nanoTime)))
              .childHandler(new ChannelInboundHandlerAdapter())
              .bind(UnixDomainSocketAddress.of(path))
              .sync()
              .channel();
      try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
        assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      }
      Await.until("a word about it", () -> !log.isEmpty());
      assertThat(log.getFirst())
          .matches(
              "unix://.*: connection rejected: neither user \\S+ nor group \\S+ is allowed to"
                  + " connect");
      listener.close().sync();
    } finally {
      loops.shutdownGracefully().await();
    }
  }

  @Test
  void thereAreSoManyConnectionsAndNoMore() throws Exception {
    Options.Builder options =
        Options.builder()
            .limits(Limits.DEFAULT.withConnections(2))
            .listen(ListenAddress.plain(Rig.freeSocket()));
    try (Rig rig = new Rig(options)) {
      rig.apply(ClusterDelta.builder());
      RawStream<WatchReq> first = RawStream.open(rig.channel(), Methods.LOCAL_WATCH);
      first.ask(N1);
      try (RawStream<WatchReq> second = RawStream.open(rig.channel(), Methods.LOCAL_WATCH)) {
        second.ask(N1);
        RawStream<WatchReq> third = RawStream.open(rig.channel(), Methods.LOCAL_WATCH);
        third.send(N1);
        assertThat(third.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        Await.text("the limit of 2 connections is reached", rig.log::toString);
      }
    }
  }
}

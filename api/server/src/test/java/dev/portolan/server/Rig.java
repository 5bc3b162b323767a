package dev.portolan.server;

import dev.portolan.api.transport.Address;
import dev.portolan.brain.Brain;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.testbase.Await;
import dev.portolan.tls.ReloadingTls;
import dev.portolan.tls.TlsFiles;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A brain, a server of it on a unix socket by default, and channels to that. */
final class Rig implements AutoCloseable {
  private static final EventLoopGroup LOOPS =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("test-io", true), NioIoHandler.newFactory());

  final Brain brain = new Brain(warning -> {});
  final List<String> log = new CopyOnWriteArrayList<>();
  final BrainServer server;
  private final List<ManagedChannel> channels = new ArrayList<>();

  Rig(Options.Builder options) {
    server = BrainServer.start(brain, options.log(log::add).build());
  }

  static Rig onSocket() {
    return new Rig(Options.builder().listen(ListenAddress.plain(freeSocket())));
  }

  static Address freeSocket() {
    try {
      return new Address.Unix(Files.createTempDirectory("portolan").resolve("brain.sock"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  void apply(ClusterDelta.Builder delta) {
    brain.apply(delta.build());
  }

  /** A connection to the first listener. */
  ManagedChannel channel() {
    return channel(server.addresses().getFirst());
  }

  ManagedChannel channel(Address address) {
    return channel(address, InsecureChannelCredentials.create());
  }

  ManagedChannel channel(Address address, TlsFiles files) throws Exception {
    ReloadingTls material = files.load(log::add);
    return channel(
        address,
        TlsChannelCredentials.newBuilder()
            .keyManager(material.keyManager())
            .trustManager(material.trustManager())
            .build());
  }

  private ManagedChannel channel(Address address, ChannelCredentials credentials) {
    ManagedChannel channel =
        switch (address) {
          case Address.Unix unix -> unix(unix, credentials).build();
          case Address.Tcp tcp ->
              NettyChannelBuilder.forAddress(
                      new InetSocketAddress(InetAddress.getLoopbackAddress(), tcp.port()),
                      credentials)
                  .channelType(NioSocketChannel.class)
                  .eventLoopGroup(LOOPS)
                  .overrideAuthority("localhost")
                  .build();
          case Address.InProcess name -> InProcessChannelBuilder.forName(name.name()).build();
        };
    channels.add(channel);
    return channel;
  }

  /** A connection to the socket that takes little more than {@code bytes} unread. */
  ManagedChannel narrowChannel(int bytes) {
    Address.Unix socket = (Address.Unix) server.addresses().getFirst();
    ManagedChannel channel =
        unix(socket, InsecureChannelCredentials.create()).flowControlWindow(bytes).build();
    channels.add(channel);
    return channel;
  }

  private static NettyChannelBuilder unix(Address.Unix address, ChannelCredentials credentials) {
    return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(address.path()), credentials)
        .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
        .withOption(ChannelOption.SO_KEEPALIVE, null)
        .eventLoopGroup(LOOPS)
        .overrideAuthority("localhost");
  }

  /** The client of {@code node}, once it is listed. */
  ClientStatus client(String node) throws InterruptedException {
    Await.until("a client of " + node, () -> find(node).isPresent());
    return find(node).orElseThrow();
  }

  private Optional<ClientStatus> find(String node) {
    return server.clients().stream().filter(client -> client.node().equals(node)).findFirst();
  }

  @Override
  public void close() throws IOException {
    channels.forEach(ManagedChannel::shutdownNow);
    List<Address> addresses = server.addresses();
    server.close();
    for (Address address : addresses) {
      if (address instanceof Address.Unix unix) {
        Path folder = unix.path().getParent();
        Files.deleteIfExists(unix.path());
        Files.deleteIfExists(folder);
      }
    }
  }
}

package dev.portolan.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.api.Methods;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.transport.Address;
import dev.portolan.brain.Brain;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.server.access.Access;
import dev.portolan.server.access.PeerRule;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a server listens, and where it does not. */
class TransportTest {
  private static final WatchReq N1 = WatchReq.newBuilder().setNodeName("n1").build();

  @TempDir Path folder;

  private static Options.Builder on(Address address) {
    return Options.builder().listen(ListenAddress.plain(address));
  }

  private static void assertServes(Rig rig) throws Exception {
    rig.apply(ClusterDelta.builder());
    for (Address address : rig.server.addresses()) {
      try (RawStream<WatchReq> stream = RawStream.open(rig.channel(address), Methods.LOCAL_WATCH)) {
        assertThat(stream.ask(N1)).hasSize(2);
      }
    }
  }

  private static void assertRefused(Options.Builder options, String sentence) {
    assertThatThrownBy(() -> BrainServer.start(new Brain(warning -> {}), options.build()).close())
        .isInstanceOf(ListenException.class)
        .hasMessage(sentence);
  }

  @Test
  void aSocketIsForUserAndGroupOnlyAndGoneAfterwards() throws Exception {
    Path path = folder.resolve("deeper/brain.sock");
    try (Rig rig = new Rig(on(new Address.Unix(path)))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo("rw-rw----");
      assertServes(rig);
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void aSocketThatNobodyListensOnIsReplaced() throws Exception {
    Path path = folder.resolve("brain.sock");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(path));
    }
    assertThat(path).exists();
    try (Rig rig = new Rig(on(new Address.Unix(path)))) {
      assertServes(rig);
    }
  }

  @Test
  void aSocketThatSomebodyListensOnIsLeftAlone() throws Exception {
    Path path = folder.resolve("brain.sock");
    try (Rig rig = new Rig(on(new Address.Unix(path)))) {
      assertRefused(
          on(new Address.Unix(path)),
          "unix://" + path + ": in use by another program; stop it or choose another path");
      assertServes(rig);
    }
  }

  @Test
  void whatIsNoSocketIsNeverRemoved() throws Exception {
    Path path = Files.writeString(folder.resolve("precious"), "text");
    assertRefused(
        on(new Address.Unix(path)),
        "unix://"
            + path
            + ": the file exists and is not a socket; remove it or choose another path");
    assertThat(path).hasContent("text");
  }

  @Test
  void aPathThatIsTooLongIsSaidToBe() {
    Path path = folder.resolve("x".repeat(120));
    assertRefused(
        on(new Address.Unix(path)),
        "unix://" + path + ": a socket path can have at most 107 characters; choose a shorter one");
  }

  @Test
  void aPortWithoutCertificatesIsForThisMachineAndOnlyIfWanted() throws Exception {
    Address loopback = new Address.Tcp("127.0.0.1", 0);
    assertRefused(
        on(loopback),
        "tcp://127.0.0.1:0: a port needs certificates; specify a key, a certificate and an"
            + " authority, or listen on a unix socket");
    Access insecure = Access.DEFAULT.withInsecureLoopback();
    for (String host : List.of("", "0.0.0.0", "::")) {
      Address everywhere = new Address.Tcp(host, 0);
      assertRefused(
          on(everywhere).access(insecure),
          everywhere
              + ": without certificates only clients on this machine can be served; listen on"
              + " 127.0.0.1, or specify a key, a certificate and an authority");
    }
    try (Rig rig = new Rig(on(loopback).access(insecure))) {
      assertThat(rig.server.addresses().getFirst())
          .isInstanceOfSatisfying(Address.Tcp.class, tcp -> assertThat(tcp.port()).isPositive());
      assertServes(rig);
      Address taken = rig.server.addresses().getFirst();
      assertRefused(
          on(taken).access(insecure),
          taken + ": cannot listen: Address already in use; choose another address");
    }
  }

  @Test
  void severalListenersServeTheSame() throws Exception {
    Options.Builder options =
        Options.builder()
            .access(Access.DEFAULT.withInsecureLoopback())
            .listen(
                ListenAddress.plain(Rig.freeSocket()),
                ListenAddress.plain(new Address.Tcp("127.0.0.1", 0)),
                ListenAddress.plain(new Address.InProcess("several")));
    try (Rig rig = new Rig(options)) {
      assertServes(rig);
    }
  }

  @Test
  void whereOneListenerFailsNoneIsOpen() throws Exception {
    Path path = folder.resolve("brain.sock");
    assertThatThrownBy(() ->
            new Rig(
                Options.builder()
                    .listen(
                        ListenAddress.plain(new Address.Unix(path)),
                        ListenAddress.plain(new Address.Tcp("127.0.0.1", 0)))))
        .isInstanceOf(ListenException.class);
    assertThat(path).doesNotExist();
  }

  @Test
  void rootAndTheServersOwnMayConnectAndWhoIsNamed() throws Exception {
    UserPrincipalLookupService names = FileSystems.getDefault().getUserPrincipalLookupService();
    UserPrincipal stranger = names.lookupPrincipalByName("54321");
    GroupPrincipal strangers = names.lookupPrincipalByGroupName("54321");
    UserPrincipal own = Files.getOwner(Files.createFile(folder.resolve("own")));

    PeerRule usual = PeerRule.of(Access.DEFAULT);
    assertThat(usual.allows(names.lookupPrincipalByName("0"), strangers)).isTrue();
    assertThat(usual.allows(own, strangers)).isTrue();
    assertThat(usual.allows(stranger, strangers)).isFalse();

    Access user = new Access(Set.of(54321), Set.of(), true, false, Set.of(), false);
    assertThat(PeerRule.of(user).allows(stranger, strangers)).isTrue();
    Access group = new Access(Set.of(), Set.of(54321), true, false, Set.of(), false);
    assertThat(PeerRule.of(group).allows(stranger, strangers)).isTrue();
  }
}

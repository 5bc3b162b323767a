package dev.portolan.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.api.Methods;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.api.v1.NodesRequest;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.server.access.Access;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.Certificates;
import dev.portolan.tls.ReloadingTls;
import dev.portolan.tls.TlsFiles;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers and clients know each other by certificates, or do not talk. */
class CertificateTest {
  private static final Certificates CERTIFICATES = Certificates.made();
  private static final WatchReq N1 = WatchReq.newBuilder().setNodeName("n1").build();
  private static final Address PORT = new Address.Tcp("127.0.0.1", 0);

  @TempDir Path folder;

  /** Files for {@code alias}, which trusts {@code authority}. */
  private TlsFiles files(String alias, String authority) throws Exception {
    return new TlsFiles(
        Files.write(folder.resolve(alias + ".key"), CERTIFICATES.key(alias)),
        Files.write(folder.resolve(alias + ".crt"), CERTIFICATES.certificate(alias)),
        Files.write(folder.resolve(authority + "-ca.crt"), CERTIFICATES.certificate(authority)));
  }

  private Rig rig(Access access) throws Exception {
    Rig rig =
        new Rig(
            Options.builder()
                .access(access)
                .listen(ListenAddress.tls(PORT, files("server", "authority"))));
    rig.apply(ClusterDelta.builder());
    return rig;
  }

  private ManagedChannel channel(Rig rig, String alias) throws Exception {
    return rig.channel(rig.server.addresses().getFirst(), files(alias, "authority"));
  }

  private static Status watch(ManagedChannel channel, String node) throws Exception {
    try (RawStream<WatchReq> stream = RawStream.open(channel, Methods.LOCAL_WATCH)) {
      stream.send(WatchReq.newBuilder().setNodeName(node).build());
      stream.halfClose();
      return stream.end();
    }
  }

  @Test
  void whoeverTheAuthoritySignedMayDoEverything() throws Exception {
    try (Rig rig = rig(Access.DEFAULT)) {
      ManagedChannel channel = channel(rig, "client");
      assertThat(watch(channel, "n7").isOk()).isTrue();
      try (RawStream<WatchReq> stream = RawStream.open(channel, Methods.LOCAL_WATCH)) {
        stream.ask(N1);
        assertThat(rig.client("n1").peer()).startsWith("alice at 127.0.0.1:");
      }
    }
  }

  @Test
  void theCheapestCipherIsUsedWhateverTheClientPrefers() throws Exception {
    try (Rig rig = rig(Access.DEFAULT)) {
      Address.Tcp address = (Address.Tcp) rig.server.addresses().getFirst();
      SSLContext context = SSLContext.getInstance("TLS");
      ReloadingTls material = files("client", "authority").load(problem -> {});
      context.init(
          new KeyManager[] {material.keyManager()},
          new TrustManager[] {material.trustManager()},
          null);
      try (SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(address.host(), address.port())) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setCipherSuites(
            new String[] {"TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"});
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        assertThat(socket.getSession().getCipherSuite()).isEqualTo("TLS_CHACHA20_POLY1305_SHA256");
      }
    }
  }

  @Test
  void whoeverTheAuthorityDidNotSignMayDoNothing() throws Exception {
    try (Rig rig = rig(Access.DEFAULT)) {
      assertThat(watch(channel(rig, "stranger"), "n1").getCode())
          .isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(watch(rig.channel(), "n1").getCode())
          .as("without certificate")
          .isEqualTo(Status.Code.UNAVAILABLE);
      ManagedChannel distrustful =
          rig.channel(rig.server.addresses().getFirst(), files("client", "stranger"));
      assertThat(watch(distrustful, "n1").getCode())
          .as("a server that the client does not believe")
          .isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(rig.server.clients()).isEmpty();
    }
  }

  @Test
  void aNodesCertificateActsForThatNodeOnly() throws Exception {
    try (Rig rig = rig(Access.DEFAULT.withCertificateNodes(Set.of("overseer")))) {
      ManagedChannel node = channel(rig, "node");
      assertThat(watch(node, "n1").isOk()).isTrue();
      Status other = watch(node, "n2");
      assertThat(other.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(other.getDescription())
          .isEqualTo(
              "the certificate of 'system:node:n1' is not allowed to watch node n2:"
                  + " system:node:NAME is allowed to watch node NAME, and administrators"
                  + " everything");
      assertThat(explain(node, "n1").getNode()).as("a node explains itself").isEqualTo("n1");
      assertThatThrownBy(() -> explain(node, "n2"))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessage("PERMISSION_DENIED: " + other.getDescription());
      assertThat(watchAll(node)).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThatThrownBy(() -> listNodes(node))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("is not allowed to see all nodes");

      assertThat(watch(channel(rig, "client"), "n1").getCode())
          .as("neither a node nor an administrator")
          .isEqualTo(Status.Code.PERMISSION_DENIED);

      ManagedChannel administrator = channel(rig, "administrator");
      assertThat(watch(administrator, "n2").isOk()).isTrue();
      assertThat(watchAll(administrator)).isEqualTo(Status.Code.OK);
      listNodes(administrator);
      assertThat(explain(administrator, "n2").getNode()).isEqualTo("n2");
    }
  }

  private static Status.Code watchAll(ManagedChannel channel) throws Exception {
    try (RawStream<GlobalWatchReq> stream = RawStream.open(channel, Methods.GLOBAL_WATCH)) {
      stream.send(GlobalWatchReq.getDefaultInstance());
      stream.halfClose();
      return stream.end().getCode();
    }
  }

  private static ExplainReply explain(ManagedChannel channel, String node) {
    return ClientCalls.blockingUnaryCall(
        channel,
        Methods.EXPLAIN,
        CallOptions.DEFAULT,
        ExplainRequest.newBuilder().setNode(node).setTarget("10.96.0.1:80").build());
  }

  private static void listNodes(ManagedChannel channel) {
    ClientCalls.blockingUnaryCall(
        channel, Methods.NODES, CallOptions.DEFAULT, NodesRequest.getDefaultInstance());
  }

  @Test
  void aCertificateThatWasReplacedIsUsedForNewConnections() throws Exception {
    try (Rig rig = rig(Access.DEFAULT)) {
      ManagedChannel before = channel(rig, "client");
      assertThat(watch(before, "n1").isOk()).isTrue();

      replace("server.key", CERTIFICATES.key("elsewhere"));
      replace("server.crt", CERTIFICATES.certificate("elsewhere"));
      Await.until("a server with another name, which is not believed", () -> !canConnect(rig));
      assertThat(watch(before, "n1").isOk()).as("an old connection").isTrue();

      replace("server.crt", "nonsense".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      Await.until(
          "a word about it",
          () -> {
            canConnect(rig);
            return rig.log.stream()
                .anyMatch(line -> line.endsWith("; the previous content stays in use"));
          });

      replace("server.key", CERTIFICATES.key("server"));
      replace("server.crt", CERTIFICATES.certificate("server"));
      Await.until("the old name again", () -> canConnect(rig));
    }
  }

  private boolean canConnect(Rig rig) {
    try {
      return watch(channel(rig, "client"), "n1").isOk();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void replace(String file, byte[] content) throws Exception {
    Path fresh = Files.write(folder.resolve("fresh"), content);
    Files.move(fresh, folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }
}

package dev.portolan.server;

import static dev.portolan.server.World.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localnetv1.NextFilter;
import dev.portolan.api.localv1.Report;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.api.v1.WaitRequest;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.server.RawHttp2.Frame;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.Certificates;
import dev.portolan.tls.TlsFiles;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that send what no client should: others on the same server, or connection, go on. */
@Timeout(60)
class HostileClientTest {
  private static final WatchReq N1 = WatchReq.newBuilder().setNodeName("n1").build();
  private static final String NODES = Methods.NODES.getFullMethodName();
  private static final String LONG = "n".repeat(900_000);
  private static final String CUT = "n".repeat(80) + "… (900000 characters)";

  @TempDir Path folder;

  /** Asks for nodes in full, and returns how the call ends. */
  private static Frame call(RawHttp2 client, int stream, String... headers) throws IOException {
    client.begin(stream, NODES, headers);
    client.frame(RawHttp2.DATA, RawHttp2.END_STREAM, stream, RawHttp2.EMPTY_REQUEST);
    return client.end(stream);
  }

  /** Makes sound and malformed calls in turn on one connection, while a watch is open on it. */
  private static void assertSoundCallsGoOn(Rig rig, RawHttp2 client) throws Exception {
    rig.apply(ClusterDelta.builder().set(service("web", 1)));
    client.begin(1, Methods.LOCAL_WATCH.getFullMethodName());
    client.frame(RawHttp2.DATA, 0, 1, RawHttp2.message(N1));
    for (int stream = 3; stream < 200; stream += 4) {
      assertThat(call(client, stream, "x-bin", "!!!"))
          .returns(RawHttp2.RST_STREAM, Frame::type)
          .returns((int) Http2Error.PROTOCOL_ERROR.code(), Frame::error);
      assertThat(call(client, stream + 2)).returns(RawHttp2.HEADERS, Frame::type);
    }
    client.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1, RawHttp2.message(N1));
    rig.apply(ClusterDelta.builder().set(service("web", 2)));
    assertThat(client.end(1)).as("the watch").returns(RawHttp2.HEADERS, Frame::type);
    assertThat(rig.log)
        .filteredOn(line -> !line.contains("a client of node n1"))
        .singleElement()
        .asString()
        .matches(
            "a call from (unix socket|127.0.0.1:\\d+) was refused: its headers are malformed"
                + " \\(HTTP/2 error PROTOCOL_ERROR\\); is each one base64 whose name ends in"
                + " -bin\\?");
  }

  @Test
  void aCallWithHeadersThatCannotBeReadEndsAlone() throws Exception {
    try (Rig rig = Rig.onSocket();
        RawHttp2 client = RawHttp2.connect(rig.server.addresses().getFirst())) {
      assertSoundCallsGoOn(rig, client);
    }
  }

  @Test
  void soItDoesOnAConnectionWithCertificates() throws Exception {
    Certificates made = Certificates.made();
    TlsFiles server = files(made, "server");
    ListenAddress port = ListenAddress.tls(new Address.Tcp("127.0.0.1", 0), server);
    try (Rig rig = new Rig(Options.builder().listen(port));
        RawHttp2 client =
            RawHttp2.connect(
                (Address.Tcp) rig.server.addresses().getFirst(), files(made, "client"))) {
      assertSoundCallsGoOn(rig, client);
    }
  }

  @Test
  void aClientThatGoesWithoutReadingAnAnswerIsNotSaidToBreakRules() throws Exception {
    try (Rig rig = Rig.onSocket()) {
      rig.apply(ClusterDelta.builder());
      Address address = rig.server.addresses().getFirst();
      for (int i = 0; i < 20; i++) {
        try (RawHttp2 client = RawHttp2.connect(address)) {
          client.begin(1, NODES);
          client.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1, RawHttp2.EMPTY_REQUEST);
          client.read();
        }
      }
      try (RawHttp2 client = RawHttp2.connect(address)) {
        assertThat(call(client, 1)).returns(RawHttp2.HEADERS, Frame::type);
      }
      assertThat(rig.log).isEmpty();
    }
  }

  private TlsFiles files(Certificates made, String alias) throws Exception {
    return new TlsFiles(
        Files.write(folder.resolve(alias + ".key"), made.key(alias)),
        Files.write(folder.resolve(alias + ".crt"), made.certificate(alias)),
        Files.write(folder.resolve("ca.crt"), made.certificate("authority")));
  }

  @Test
  void aClientThatBeginsCallsOnlyToEndThemIsCutOffAndOthersAreServed() throws Exception {
    try (Rig rig = Rig.onSocket();
        RawStream<WatchReq> innocent = RawStream.open(rig.channel(), Methods.LOCAL_WATCH);
        RawHttp2 client = RawHttp2.connect(rig.server.addresses().getFirst())) {
      rig.apply(ClusterDelta.builder());
      innocent.ask(N1);
      innocent.send(N1);
      Thread.ofVirtual().start(() -> resetForEver(client));
      assertThat(client.end(0))
          .returns(RawHttp2.GOAWAY, Frame::type)
          .returns((int) Http2Error.ENHANCE_YOUR_CALM.code(), Frame::error);
      rig.apply(ClusterDelta.builder().set(service("web", 1)));
      assertThat(RawStream.lines(innocent.changeSet()))
          .containsExactly("set ServicesSet default/web", "sync");
      assertThat(rig.log)
          .contains(
              "the connection from unix socket was ended, because it breaks the rules of HTTP/2"
                  + " (ENHANCE_YOUR_CALM)");
    }
  }

  private static void resetForEver(RawHttp2 client) {
    try {
      for (int stream = 1; ; stream += 2) {
        client.begin(stream, NODES);
        client.reset(stream);
      }
    } catch (IOException e) {
      // The server has hung up.
    }
  }

  @Test
  void namesThatAreLongerThanKubernetesAllowsAreRefusedBriefly() throws Exception {
    try (Rig rig = Rig.onSocket()) {
      rig.apply(ClusterDelta.builder().set(service("web", 1)));
      ManagedChannel channel = rig.channel();
      Map<String, Status> ends =
          Map.of(
              "NodeName is '%s'; it may have at most 253 characters",
              watch(channel, WatchReq.newBuilder().setNodeName(LONG)),
              "ClientName is '%s'; it may have at most 253 characters",
              watch(channel, N1.toBuilder().setClientName(LONG)),
              "target is '%s'; it may have at most 1024 characters",
              end(channel, Methods.EXPLAIN, ExplainRequest.newBuilder().setTarget(LONG).build()),
              "nodes is '%s'; it may have at most 253 characters",
              end(channel, Methods.WAIT, WaitRequest.newBuilder().addNodes(LONG).build()));
      ends.forEach((sentence, status) ->
          assertThat(status)
              .returns(Status.Code.INVALID_ARGUMENT, Status::getCode)
              .returns(sentence.formatted(CUT), Status::getDescription));
      assertThat(
              end(channel, Methods.NEXT, NextFilter.newBuilder().setNodeName(LONG).build())
                  .getDescription())
          .startsWith("NodeName is 'nnn");
      assertThat(rig.server.clients()).as("none of them is kept").isEmpty();
      Await.until("a word about it", () -> !rig.log.isEmpty());
      assertThat(rig.log)
          .singleElement()
          .asString()
          .startsWith("a client at unix socket was refused: ")
          .hasSizeLessThan(300);
    }
  }

  @Test
  void theBeginningIsKeptOfWhatAClientReports() throws Exception {
    try (Rig rig = Rig.onSocket();
        RawStream<WatchReq> stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH)) {
      rig.apply(ClusterDelta.builder());
      stream.ask(N1);
      stream.send(
          N1.toBuilder()
              .setReport(Report.newBuilder().setError("table is busy ".repeat(50_000)))
              .setReportOnly(true)
              .build());
      Await.until("noted", () -> rig.server.clients().getFirst().reports());
      assertThat(rig.client("n1").error())
          .startsWith("table is busy table")
          .endsWith("…")
          .hasSizeLessThan(2_000);
    }
  }

  private static Status watch(ManagedChannel channel, WatchReq.Builder request) throws Exception {
    try (RawStream<WatchReq> stream = RawStream.open(channel, Methods.LOCAL_WATCH)) {
      stream.send(request.build());
      return stream.end();
    }
  }

  private static <Q, A> Status end(
      ManagedChannel channel, MethodDescriptor<Q, A> method, Q request) {
    try {
      ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, request)
          .forEachRemaining(answer -> {});
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }
}

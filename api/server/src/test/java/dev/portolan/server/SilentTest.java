package dev.portolan.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.server.access.Access;
import dev.portolan.testbase.Certificates;
import dev.portolan.tls.TlsFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections that say nothing do not stay. */
@Timeout(60)
class SilentTest {
  private static final Certificates CERTIFICATES = Certificates.made();
  private static final Limits LIMITS = Limits.DEFAULT.withSilent(Duration.ofMillis(100));

  @TempDir Path folder;

  /** Connects, says {@code words}, and reads until the server hangs up. */
  private static void assertClosed(ListenAddress listener, byte[] words) throws Exception {
    Options.Builder options =
        Options.builder()
            .access(Access.DEFAULT.withInsecureLoopback())
            .limits(LIMITS)
            .listen(listener);
    try (Rig rig = new Rig(options);
        SocketChannel client =
            SocketChannel.open(RawHttp2.place(rig.server.addresses().getFirst()))) {
      ByteBuffer answer = ByteBuffer.allocate(1 << 16);
      try {
        client.write(ByteBuffer.wrap(words));
        while (client.read(answer) >= 0) {
          assertThat(answer.hasRemaining()).as("it stops sending").isTrue();
        }
      } catch (IOException e) {
        // On a busy machine it has hung up before the words came.
      }
    }
  }

  private ListenAddress tls() throws Exception {
    return ListenAddress.tls(
        new Address.Tcp("127.0.0.1", 0),
        new TlsFiles(
            Files.write(folder.resolve("server.key"), CERTIFICATES.key("server")),
            Files.write(folder.resolve("server.crt"), CERTIFICATES.certificate("server")),
            Files.write(folder.resolve("ca.crt"), CERTIFICATES.certificate("authority"))));
  }

  @Test
  void onASocketOneThatSaysNothingIsClosed() throws Exception {
    assertClosed(ListenAddress.plain(Rig.freeSocket()), new byte[0]);
  }

  @Test
  void onASocketOneThatIntroducesItselfAndNoMoreIsClosed() throws Exception {
    assertClosed(ListenAddress.plain(Rig.freeSocket()), RawHttp2.INTRODUCTION);
  }

  @Test
  void onAPortOneThatSaysNothingIsClosed() throws Exception {
    assertClosed(ListenAddress.plain(new Address.Tcp("127.0.0.1", 0)), new byte[0]);
  }

  @Test
  void withCertificatesOneThatNeverShowsItsOwnIsClosed() throws Exception {
    assertClosed(tls(), new byte[0]);
  }

  @Test
  void withCertificatesOneThatStopsAfterItsFirstByteIsClosed() throws Exception {
    assertClosed(tls(), new byte[] {0x16});
  }
}

package dev.portolan.server;

import com.google.protobuf.Message;
import dev.portolan.api.transport.Address;
import dev.portolan.tls.ReloadingTls;
import dev.portolan.tls.TlsFiles;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** A client of HTTP/2 that sends exactly what a test wants, valid or not. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;

  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  /** A request without content, as gRPC frames it. */
  static final byte[] EMPTY_REQUEST = new byte[5];

  /** What an HTTP/2 client says first, and an empty SETTINGS frame: it has introduced itself. */
  static final byte[] INTRODUCTION =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

  private final Closeable socket;
  private final DataInputStream in;
  private final OutputStream out;

  /** One frame that the server sent; its error is 0 where it carries none. */
  record Frame(int type, int flags, int stream, int error) {
    boolean endsStream() {
      return type == RST_STREAM || (type <= HEADERS && (flags & END_STREAM) != 0);
    }
  }

  private RawHttp2(Closeable socket, InputStream in, OutputStream out) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(in);
    this.out = out;
    out.write(INTRODUCTION);
  }

  /** Connects, and introduces itself. */
  static RawHttp2 connect(Address address) throws IOException {
    SocketChannel channel = SocketChannel.open(place(address));
    return new RawHttp2(
        channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
  }

  /** The same with certificates. */
  static RawHttp2 connect(Address.Tcp address, TlsFiles files) throws Exception {
    ReloadingTls material = files.load(problem -> {});
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        new KeyManager[] {material.keyManager()},
        new TrustManager[] {material.trustManager()},
        null);
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(address.host(), address.port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    return new RawHttp2(socket, socket.getInputStream(), socket.getOutputStream());
  }

  static SocketAddress place(Address address) {
    return switch (address) {
      case Address.Unix unix -> UnixDomainSocketAddress.of(unix.path());
      case Address.Tcp tcp -> new InetSocketAddress(InetAddress.getLoopbackAddress(), tcp.port());
      case Address.InProcess name -> throw new IllegalArgumentException(name.toString());
    };
  }

  /** Begins a call of {@code method}, with {@code more} headers: names and values in turn. */
  void begin(int stream, String method, String... more) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    header(block, ":method", "POST");
    header(block, ":scheme", "http");
    header(block, ":path", "/" + method);
    header(block, ":authority", "localhost");
    header(block, "content-type", "application/grpc");
    header(block, "te", "trailers");
    for (int i = 0; i < more.length; i += 2) {
      header(block, more[i], more[i + 1]);
    }
    frame(HEADERS, END_HEADERS, stream, block.toByteArray());
  }

  /** {@code request} as gRPC frames it. */
  static byte[] message(Message request) {
    byte[] bytes = request.toByteArray();
    return ByteBuffer.allocate(EMPTY_REQUEST.length + bytes.length)
        .put((byte) 0)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  /** A literal of HPACK that changes no table; shorter than 127 bytes, so that a byte counts it. */
  private static void header(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  void frame(int type, int flags, int stream, byte... payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    out.write(frame.array());
  }

  /** Gives a call up. */
  void reset(int stream) throws IOException {
    frame(RST_STREAM, 0, stream, (byte) 0, (byte) 0, (byte) 0, (byte) 8);
  }

  /** The next frame of the server. */
  Frame read() throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(length));
    int error =
        switch (type) {
          case RST_STREAM -> payload.getInt();
          case GOAWAY -> payload.getInt(4);
          default -> 0;
        };
    return new Frame(type, flags, stream, error);
  }

  /** Reads until the server has ended {@code stream}, or the connection. */
  Frame end(int stream) throws IOException {
    Frame frame;
    do {
      frame = read();
    } while (frame.type() != GOAWAY && !(frame.stream() == stream && frame.endsStream()));
    return frame;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

package dev.portolan.server.access;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.ssl.SslHandler;

/**
 * Lets a call end alone whose headers cannot be read, and says in the log what HTTP/2 refuses.
 *
 * <p>Netty resets a stream whose headers are malformed, such as a "-bin" header that is not base64,
 * but does not remember that there was one. The next frame of that call, sent before the client has
 * received the reset, is then one of a stream that never was, which ends the connection with every
 * other call on it. So this looks at the frames that go out, and notes the stream of each reset.
 */
final class FrameGuard extends ChannelDuplexHandler {
  private static final int RST_STREAM = 3;
  private static final int GOAWAY = 7;

  private static final int HEADER_BYTES = 9;
  private static final int TYPE_AT = 3;
  private static final int STREAM_AT = 5;
  private static final int RST_STREAM_BYTES = HEADER_BYTES + 4;
  private static final int GOAWAY_BYTES = HEADER_BYTES + 8;

  private final ClientLines faults;

  /** Says to {@code faults} which calls are refused, and which connections end. */
  FrameGuard(ClientLines faults) {
    this.faults = faults;
  }

  /** Moves to where frames are not encrypted, as TLS now is in its place. */
  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.fireChannelActive();
    ChannelPipeline pipeline = context.pipeline();
    ChannelHandlerContext tls = pipeline.context(SslHandler.class);
    if (tls != null) {
      pipeline.addAfter(tls.name(), null, new FrameGuard(faults));
      pipeline.remove(this);
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf frame) {
      look(context, frame);
    }
    var _ = context.write(message, promise);
  }

  /**
   * A frame's header is never split, and both kinds that matter here have a length of their own.
   */
  private void look(ChannelHandlerContext context, ByteBuf frame) {
    int bytes = frame.readableBytes();
    if (bytes != RST_STREAM_BYTES && bytes != GOAWAY_BYTES) {
      return;
    }
    int start = frame.readerIndex();
    int type = frame.getByte(start + TYPE_AT);
    if (type == RST_STREAM && bytes == RST_STREAM_BYTES) {
      reset(context, frame.getInt(start + STREAM_AT), frame.getInt(start + HEADER_BYTES));
    } else if (type == GOAWAY && bytes == GOAWAY_BYTES) {
      goodbye(context, frame.getInt(start + HEADER_BYTES + 4));
    }
  }

  private void reset(ChannelHandlerContext context, int stream, int error) {
    Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (http2 == null || http2.connection().streamMayHaveExisted(stream)) {
      return;
    }
    say(
        context,
        "a call from %s was refused: its headers are malformed (HTTP/2 error %s); is each one base64 whose name ends in -bin?",
        error);
    try {
      Http2Connection.Endpoint<?> client = http2.connection().remote();
      client.createStream(stream, true).close();
    } catch (Http2Exception e) {
      // The client has more calls than it may have, so the connection ends with its next frame.
    }
  }

  private void goodbye(ChannelHandlerContext context, int error) {
    // A client that has gone while it is being answered ends with an internal error.
    if (error != Http2Error.NO_ERROR.code() && error != Http2Error.INTERNAL_ERROR.code()) {
      say(
          context,
          "the connection from %s was ended, because it breaks the rules of HTTP/2 (%s)",
          error);
    }
  }

  private void say(ChannelHandlerContext context, String line, int error) {
    String peer = Caller.place(context.channel().remoteAddress());
    faults.say(peer, line.formatted(peer, Http2Error.valueOf(error)));
  }
}

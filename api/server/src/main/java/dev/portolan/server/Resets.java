package dev.portolan.server;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.TimeoutException;

/**
 * Resets streams whose client does not read.
 *
 * <p>A call that is closed keeps what was written to it until the client has read it. gRPC drops
 * that, and resets the stream, only when the deadline of the call's context passes; so each call
 * gets a context whose deadline can be declared over.
 */
final class Resets extends ServerStreamTracer.Factory {
  private static final Context.Key<Context.CancellableContext> OWN = Context.key("portolan-reset");

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new ServerStreamTracer() {
      private Context.CancellableContext own = Context.ROOT.withCancellation();

      @Override
      public Context filterContext(Context context) {
        own = context.withCancellation();
        return own.withValue(OWN, own);
      }

      @Override
      public void streamClosed(Status status) {
        own.cancel(null);
      }
    };
  }

  /** What resets the stream of the call that the current thread begins. */
  static Runnable ofThisCall() {
    Context.CancellableContext own = OWN.get();
    return own == null ? () -> {} : () -> own.cancel(new TimeoutException("the client is slow"));
  }
}

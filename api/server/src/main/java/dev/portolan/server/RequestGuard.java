package dev.portolan.server;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.portolan.server.access.Caller;
import dev.portolan.server.access.ClientLines;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/**
 * Answers a message that cannot be decoded with a sentence.
 *
 * <p>Left alone, gRPC logs a stack trace for each, answers with UNKNOWN, and where the call has
 * ended already breaks the connection, with every other call on it.
 */
final class RequestGuard implements ServerInterceptor {
  /** Passes on what each side has, which gRPC's own marshaller for this copies. */
  private static final MethodDescriptor.Marshaller<InputStream> AS_IT_IS =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(InputStream message) {
          return message;
        }

        @Override
        public InputStream parse(InputStream message) {
          return message;
        }
      };

  private final ClientLines faults;

  /** Says to {@code faults} what is refused. */
  RequestGuard(ClientLines faults) {
    this.faults = faults;
  }

  /** The same service behind this guard, which sees messages before they are decoded. */
  ServerServiceDefinition before(ServerServiceDefinition service) {
    return ServerInterceptors.intercept(
        ServerInterceptors.useMarshalledMessages(service, AS_IT_IS), this);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return new Guarded<>(call, next.startCall(call, headers));
  }

  private final class Guarded<Q, A> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, A> call;
    private boolean refused;

    Guarded(ServerCall<Q, A> call, ServerCall.Listener<Q> next) {
      super(next);
      this.call = call;
    }

    @Override
    public void onMessage(Q message) {
      if (refused) {
        return;
      }
      try {
        super.onMessage(message);
      } catch (StatusRuntimeException e) {
        if (!(e.getCause() instanceof InvalidProtocolBufferException cause)) {
          throw e;
        }
        refused = true;
        refuse(cause);
        forget();
      }
    }

    private void refuse(InvalidProtocolBufferException cause) {
      String method = call.getMethodDescriptor().getFullMethodName();
      String peer = Caller.place(call.getAttributes());
      faults.say(
          peer,
          "a request to %s from %s cannot be decoded (%s)"
              .formatted(method, peer, cause.getMessage()));
      try {
        call.close(
            Status.INVALID_ARGUMENT.withDescription(
                "the request cannot be decoded (%s); do client and server have the same messages?"
                    .formatted(cause.getMessage())),
            new Metadata());
      } catch (IllegalStateException e) {
        // It was answered already.
      }
    }

    /** Lets the handler end what it does for the call. */
    private void forget() {
      try {
        super.onCancel();
      } catch (IllegalStateException e) {
        // It wanted to answer too.
      }
    }

    @Override
    public void onHalfClose() {
      if (!refused) {
        super.onHalfClose();
      }
    }

    @Override
    public void onReady() {
      if (!refused) {
        super.onReady();
      }
    }

    @Override
    public void onCancel() {
      if (!refused) {
        super.onCancel();
      }
    }

    @Override
    public void onComplete() {
      if (!refused) {
        super.onComplete();
      }
    }
  }
}

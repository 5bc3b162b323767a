package dev.portolan.server;

import dev.portolan.api.Methods;
import dev.portolan.api.StreamItem;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localnetv1.NextFilter;
import dev.portolan.api.localnetv1.NextItem;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.api.v1.NodesReply;
import dev.portolan.api.v1.NodesRequest;
import dev.portolan.api.v1.TrafficReply;
import dev.portolan.api.v1.TrafficRequest;
import dev.portolan.api.v1.WaitReply;
import dev.portolan.api.v1.WaitRequest;
import dev.portolan.core.error.Failures;
import dev.portolan.core.error.Threads;
import dev.portolan.server.access.Caller;
import dev.portolan.server.encoding.Heartbeat;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods that are served; each call has a virtual thread of its own, until a {@link Pusher}
 * goes on with it.
 */
final class Calls {
  /**
   * How much is kept of what a client has not read. Each message takes a buffer of 4 kB, however
   * short it is, so that gRPC's own 32 kB may be ten times as many.
   */
  private static final int UNREAD_BYTES = 4096;

  /** For how long somebody who asks for the clients again and again has nodes report at once. */
  private static final long AGAIN_SECONDS = 3;

  private final Options options;
  private final Served served;
  private final Supplier<NodesReply> nodes;
  private final EventLoopGroup loops;
  private final ScheduledExecutorService timer;
  private final Set<Conversation<?, ?>> conversations = ConcurrentHashMap.newKeySet();

  /** What is done for one call. */
  private interface Body<Q, A> {
    void run(Conversation<Q, A> conversation, ClientProgress client, Caller caller);
  }

  Calls(
      Options options,
      Served served,
      Supplier<NodesReply> nodes,
      EventLoopGroup loops,
      ScheduledExecutorService timer) {
    this.options = options;
    this.served = served;
    this.nodes = nodes;
    this.loops = loops;
    this.timer = timer;
  }

  /** The services, for a server to add. */
  List<ServerServiceDefinition> services() {
    return List.of(
        service(localWatch(Methods.LOCAL_WATCH)),
        service(globalWatch(Methods.GLOBAL_WATCH)),
        service(next(), localWatch(Methods.LOCAL_WATCH_BEFORE)),
        service(globalWatch(Methods.GLOBAL_WATCH_BEFORE)),
        service(nodes(), explain(), watchExplain(), await(), traffic()));
  }

  /** Ends all calls with {@code status}. */
  void stop(Status status) {
    conversations.forEach(conversation -> conversation.stop(status));
  }

  private static ServerServiceDefinition service(ServerMethodDefinition<?, ?>... methods) {
    ServerServiceDefinition.Builder service =
        ServerServiceDefinition.builder(
            Methods.service(
                Arrays.stream(methods).map(ServerMethodDefinition::getMethodDescriptor).toList()));
    for (ServerMethodDefinition<?, ?> method : methods) {
      service.addMethod(method);
    }
    return service.build();
  }

  private ServerMethodDefinition<WatchReq, StreamItem> localWatch(
      MethodDescriptor<WatchReq, OpItem> method) {
    return ServerMethodDefinition.create(
        Methods.encoded(method),
        handler(
            NodeStream::isReport,
            (conversation, client, caller) ->
                new NodeStream(conversation, client, caller, served).run()));
  }

  private ServerMethodDefinition<GlobalWatchReq, StreamItem> globalWatch(
      MethodDescriptor<GlobalWatchReq, OpItem> method) {
    return ServerMethodDefinition.create(
        Methods.encoded(method),
        handler(
            (request, client) -> false,
            (conversation, client, caller) -> {
              caller.checkMaySeeAll();
              new ClusterStream(conversation, client, served).run();
            }));
  }

  private ServerMethodDefinition<NextFilter, NextItem> next() {
    return ServerMethodDefinition.create(
        Methods.NEXT,
        handler(
            (request, client) -> false,
            (conversation, client, caller) -> new LongPoll(conversation, caller, served).run()));
  }

  private ServerMethodDefinition<NodesRequest, NodesReply> nodes() {
    return ServerMethodDefinition.create(
        Methods.NODES,
        handler(
            (request, client) -> false,
            (conversation, client, caller) -> {
              caller.checkMaySeeAll();
              if (conversation.read().filter(NodesRequest::getAgain).isPresent()) {
                Heartbeat.Waiting waiting = served.heartbeat().awaitReports();
                var _ = timer.schedule(waiting::close, AGAIN_SECONDS, TimeUnit.SECONDS);
              }
              conversation.write(nodes.get());
            }));
  }

  private ServerMethodDefinition<TrafficRequest, TrafficReply> traffic() {
    return ServerMethodDefinition.create(
        Methods.TRAFFIC,
        handler(
            (request, client) -> false,
            (conversation, client, caller) -> {
              caller.checkMaySeeAll();
              conversation.read();
              conversation.write(options.traffic().get());
            }));
  }

  private ServerMethodDefinition<ExplainRequest, ExplainReply> explain() {
    return ServerMethodDefinition.create(
        Methods.EXPLAIN,
        handler(
            (request, client) -> false,
            (conversation, client, caller) ->
                new ExplainCall(conversation, caller, served, options.dataplanes()).run()));
  }

  private ServerMethodDefinition<ExplainRequest, ExplainReply> watchExplain() {
    return ServerMethodDefinition.create(
        Methods.WATCH_EXPLAIN,
        handler(
            (request, client) -> false,
            (conversation, client, caller) ->
                new ExplainCall(conversation, caller, served, options.dataplanes()).watch()));
  }

  private ServerMethodDefinition<WaitRequest, WaitReply> await() {
    return ServerMethodDefinition.create(
        Methods.WAIT,
        handler(
            (request, client) -> false,
            (conversation, client, caller) -> new WaitCall(conversation, caller, served).run()));
  }

  private <Q, A> ServerCallHandler<Q, A> handler(
      BiPredicate<Q, ClientProgress> aside, Body<Q, A> body) {
    return (call, headers) -> {
      Caller caller = Caller.of(call.getAttributes(), options.access());
      call.setOnReadyThreshold(UNREAD_BYTES);
      ScheduledExecutorService loop = loop();
      Conversation<Q, A> conversation =
          new Conversation<>(call, options.limits(), loop, Resets.ofThisCall());
      ClientProgress client = new ClientProgress(caller.peer());
      conversations.add(conversation);
      conversation.begin(request -> aside.test(request, client));
      new Course(call.getMethodDescriptor().getFullMethodName(), conversation, loop, client)
          .attend(() -> body.run(conversation, client, caller));
      return conversation;
    };
  }

  /** The event loop of the connection whose call the current thread begins. */
  private ScheduledExecutorService loop() {
    for (EventExecutor loop : loops) {
      if (loop.inEventLoop()) {
        return loop;
      }
    }
    return timer;
  }

  /** The course of a call: on a thread, then perhaps without. */
  private final class Course implements Pusher.Owner {
    private final String method;
    private final Conversation<?, ?> conversation;
    private final ScheduledExecutorService loop;
    private final ClientProgress client;

    Course(
        String method,
        Conversation<?, ?> conversation,
        ScheduledExecutorService loop,
        ClientProgress client) {
      this.method = method;
      this.conversation = conversation;
      this.loop = loop;
      this.client = client;
    }

    /** Does the next part of the call on a thread of its own. */
    void attend(Runnable part) {
      Threads.virtual("API call")
          .named(method)
          .start(() -> {
            try {
              part.run();
            } catch (RuntimeException | Error e) {
              ended(e);
              return;
            }
            goOn();
          });
    }

    private void goOn() {
      Pusher.Work work = conversation.work();
      if (work == null) {
        ended(null);
      } else {
        Pusher.start(conversation, loop, work, this);
      }
    }

    @Override
    public void needsThread() {
      attend(Objects.requireNonNull(conversation.work())::catchUp);
    }

    @Override
    public void ended(@Nullable Throwable failure) {
      String why = "";
      switch (failure) {
        case null -> conversation.end(Status.OK);
        case ClientGone _ -> {}
        case StatusRuntimeException e -> {
          why = String.valueOf(e.getStatus().getDescription());
          conversation.end(e.getStatus());
        }
        default -> {
          Failures.ofProcess().add("API call", failure);
          why = "the server failed: " + failure;
          conversation.end(Status.INTERNAL.withDescription(why));
        }
      }
      Pusher.Work work = conversation.work();
      if (work != null) {
        work.close();
      }
      conversations.remove(conversation);
      served.dismiss(client, why);
    }
  }
}

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
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/** The methods that are served; each call has a virtual thread of its own. */
final class Calls {
  /**
   * How much is kept of what a client has not read. Each message takes a buffer of 4 kB, however
   * short it is, so that gRPC's own 32 kB may be ten times as many.
   */
  private static final int UNREAD_BYTES = 4096;

  private final Options options;
  private final Served served;
  private final Supplier<NodesReply> nodes;
  private final ScheduledExecutorService timer;
  private final Set<Conversation<?, ?>> conversations = ConcurrentHashMap.newKeySet();

  /** What is done for one call. */
  private interface Body<Q, A> {
    void run(Conversation<Q, A> conversation, ClientProgress client, Caller caller);
  }

  Calls(
      Options options, Served served, Supplier<NodesReply> nodes, ScheduledExecutorService timer) {
    this.options = options;
    this.served = served;
    this.nodes = nodes;
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
              conversation.read();
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
      Conversation<Q, A> conversation =
          new Conversation<>(call, options.limits(), timer, Resets.ofThisCall());
      ClientProgress client = new ClientProgress(caller.peer());
      conversations.add(conversation);
      conversation.begin(request -> aside.test(request, client));
      Threads.virtual("API call")
          .named(call.getMethodDescriptor().getFullMethodName())
          .start(() -> run(body, conversation, client, caller));
      return conversation;
    };
  }

  private <Q, A> void run(
      Body<Q, A> body, Conversation<Q, A> conversation, ClientProgress client, Caller caller) {
    String why = "";
    try {
      body.run(conversation, client, caller);
      conversation.end(Status.OK);
    } catch (ClientGone e) {
      why = "";
    } catch (StatusRuntimeException e) {
      why = String.valueOf(e.getStatus().getDescription());
      conversation.end(e.getStatus());
    } catch (RuntimeException | Error e) {
      Failures.ofProcess().add("API call", e);
      why = "the server failed: " + e;
      conversation.end(Status.INTERNAL.withDescription(why));
    } finally {
      conversations.remove(conversation);
      served.dismiss(client, why);
    }
  }
}

package dev.portolan.api;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Message;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localnetv1.NextFilter;
import dev.portolan.api.localnetv1.NextItem;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.v1.BrainProto;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.api.v1.NodesReply;
import dev.portolan.api.v1.NodesRequest;
import dev.portolan.api.v1.TrafficReply;
import dev.portolan.api.v1.TrafficRequest;
import dev.portolan.api.v1.WaitReply;
import dev.portolan.api.v1.WaitRequest;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import java.util.List;

/** The methods of the API. */
public final class Methods {
  /** What one node should do, as changes. */
  public static final MethodDescriptor<WatchReq, OpItem> LOCAL_WATCH =
      watch("localv1.Sets", WatchReq.getDefaultInstance());

  /** The same under its older name. */
  public static final MethodDescriptor<WatchReq, OpItem> LOCAL_WATCH_BEFORE =
      watch("localnetv1.Endpoints", WatchReq.getDefaultInstance());

  /** The cluster, as changes. */
  public static final MethodDescriptor<GlobalWatchReq, OpItem> GLOBAL_WATCH =
      watch("globalv1.Sets", GlobalWatchReq.getDefaultInstance());

  /** The same under its older name. */
  public static final MethodDescriptor<GlobalWatchReq, OpItem> GLOBAL_WATCH_BEFORE =
      watch("localnetv1.Global", GlobalWatchReq.getDefaultInstance());

  /** What one node should do, as a whole. */
  public static final MethodDescriptor<NextFilter, NextItem> NEXT =
      method(
          MethodType.SERVER_STREAMING,
          "localnetv1.Endpoints",
          "Next",
          NextFilter.getDefaultInstance(),
          NextItem.getDefaultInstance());

  /** The clients, and which revision each has applied. */
  public static final MethodDescriptor<NodesRequest, NodesReply> NODES =
      method(
          MethodType.UNARY,
          "portolan.v1.Brain",
          "Nodes",
          NodesRequest.getDefaultInstance(),
          NodesReply.getDefaultInstance());

  /** What was counted of the traffic of services. */
  public static final MethodDescriptor<TrafficRequest, TrafficReply> TRAFFIC =
      method(
          MethodType.UNARY,
          "portolan.v1.Brain",
          "Traffic",
          TrafficRequest.getDefaultInstance(),
          TrafficReply.getDefaultInstance());

  /** What happens to a connection on a node, and why. */
  public static final MethodDescriptor<ExplainRequest, ExplainReply> EXPLAIN =
      method(
          MethodType.UNARY,
          "portolan.v1.Brain",
          "Explain",
          ExplainRequest.getDefaultInstance(),
          ExplainReply.getDefaultInstance());

  /** The same now, and again each time that the answer is another one. */
  public static final MethodDescriptor<ExplainRequest, ExplainReply> WATCH_EXPLAIN =
      method(
          MethodType.SERVER_STREAMING,
          "portolan.v1.Brain",
          "WatchExplain",
          ExplainRequest.getDefaultInstance(),
          ExplainReply.getDefaultInstance());

  /** How far the nodes are on the way to something. */
  public static final MethodDescriptor<WaitRequest, WaitReply> WAIT =
      method(
          MethodType.SERVER_STREAMING,
          "portolan.v1.Brain",
          "Wait",
          WaitRequest.getDefaultInstance(),
          WaitReply.getDefaultInstance());

  private Methods() {}

  /** The same method, for a server whose answers are encoded already. */
  public static <Q> MethodDescriptor<Q, StreamItem> encoded(MethodDescriptor<Q, OpItem> method) {
    return method.toBuilder(method.getRequestMarshaller(), StreamItem.MARSHALLER).build();
  }

  /** A service of these methods, all of one service, that reflection can describe. */
  public static ServiceDescriptor service(List<? extends MethodDescriptor<?, ?>> methods) {
    ServiceDescriptor.Builder service =
        ServiceDescriptor.newBuilder(String.valueOf(methods.getFirst().getServiceName()))
            .setSchemaDescriptor((ProtoFileDescriptorSupplier) () -> file(methods.getFirst()));
    methods.forEach(service::addMethod);
    return service.build();
  }

  private static FileDescriptor file(MethodDescriptor<?, ?> method) {
    return switch (String.valueOf(method.getServiceName())) {
      case "localv1.Sets" -> dev.portolan.api.localv1.ApiProto.getDescriptor();
      case "globalv1.Sets" -> dev.portolan.api.globalv1.ApiProto.getDescriptor();
      case "portolan.v1.Brain" -> BrainProto.getDescriptor();
      default -> dev.portolan.api.localnetv1.ApiProto.getDescriptor();
    };
  }

  private static <Q extends Message> MethodDescriptor<Q, OpItem> watch(String service, Q request) {
    return method(
        MethodType.BIDI_STREAMING, service, "Watch", request, OpItem.getDefaultInstance());
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      MethodType type, String service, String name, Q request, A answer) {
    return MethodDescriptor.<Q, A>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
        .setRequestMarshaller(ProtoUtils.marshaller(request))
        .setResponseMarshaller(ProtoUtils.marshaller(answer))
        .build();
  }
}

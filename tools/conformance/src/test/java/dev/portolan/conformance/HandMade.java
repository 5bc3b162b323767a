package dev.portolan.conformance;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.portolan.api.Methods;
import dev.portolan.api.NodeMessages;
import dev.portolan.api.WireException;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.NodeFacts;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Position;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Report;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.Value;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.client.Connection;
import dev.portolan.conformance.clusters.StateLines;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.tls.TlsException;
import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A client written by hand, without the library: right where it has no flaws. As one of KPNG it
 * names no sets, and reads services and endpoints.
 */
final class HandMade implements Candidate {
  enum Flaw {
    RESET_EMPTIES,
    APPLIES_WITHOUT_SYNC,
    ACKNOWLEDGES_WITHOUT_SYNC,
    NEVER_ACKNOWLEDGES,
    GOES_BACK,
    KEEPS_WHAT_A_RESET_VOIDS,
    GIVES_UP,
    ASKS_FOR_ANOTHER_NODE
  }

  private final boolean kpng;
  private final EnumSet<Flaw> flaws = EnumSet.noneOf(Flaw.class);

  HandMade(boolean kpng, Flaw... flaws) {
    this.kpng = kpng;
    this.flaws.addAll(List.of(flaws));
  }

  @Override
  public Running start(Place place) {
    return new Client(place);
  }

  private final class Client implements Running {
    private final Place place;
    private final Connection connection;
    private final Thread thread;
    private final Map<String, Value> read = new TreeMap<>();
    private volatile Map<String, Value> applied = Map.of();
    private Position position = Position.getDefaultInstance();
    private boolean first = true;

    Client(Place place) {
      this.place = place;
      try {
        connection = Connection.open(place.api(), Optional.empty());
      } catch (TlsException e) {
        throw new IllegalStateException(e);
      }
      thread = Thread.ofPlatform().daemon().start(this::follow);
    }

    private void follow() {
      try {
        do {
          CountDownLatch end = new CountDownLatch(1);
          Stream stream = new Stream(end);
          stream.ask(false);
          end.await();
          TimeUnit.MILLISECONDS.sleep(20);
        } while (!flaws.contains(Flaw.GIVES_UP));
      } catch (InterruptedException e) {
        // It was stopped.
      }
    }

    private final class Stream implements StreamObserver<OpItem> {
      private final CountDownLatch end;
      private final StreamObserver<WatchReq> requests;

      Stream(CountDownLatch end) {
        this.end = end;
        requests =
            ClientCalls.asyncBidiStreamingCall(
                connection.channel().newCall(Methods.LOCAL_WATCH, CallOptions.DEFAULT), this);
      }

      void ask(boolean only) {
        WatchReq.Builder request = WatchReq.newBuilder().setReportOnly(only);
        request.setNodeName(flaws.contains(Flaw.ASKS_FOR_ANOTHER_NODE) ? "worker-2" : place.node());
        if (!kpng) {
          request.addSets(Set.ServicesSet).addSets(Set.NodeFactsSet);
          if (!flaws.contains(Flaw.NEVER_ACKNOWLEDGES)) {
            request.setReport(Report.newBuilder().setApplied(position));
          }
        }
        requests.onNext(request.build());
      }

      @Override
      public void onNext(OpItem item) {
        switch (item.getOpCase()) {
          case RESET -> {
            if (!flaws.contains(Flaw.KEEPS_WHAT_A_RESET_VOIDS)) {
              read.clear();
            }
            if (flaws.contains(Flaw.RESET_EMPTIES)) {
              applied = Map.of();
            }
          }
          case SET -> read.put(key(item.getSet().getRef()), item.getSet());
          case DELETE -> read.remove(key(item.getDelete()));
          case SYNC -> {
            applied = Map.copyOf(read);
            position = item.getChange().getPosition();
            ask(false);
            if (flaws.contains(Flaw.GOES_BACK) && position.getRevision() > 2) {
              position = position.toBuilder().setRevision(1).build();
              ask(true);
            }
          }
          case OP_NOT_SET -> {}
        }
        boolean half = item.getOpCase() == OpItem.OpCase.SET;
        if (half && flaws.contains(Flaw.APPLIES_WITHOUT_SYNC)) {
          applied = Map.copyOf(read);
        }
        if (half && flaws.contains(Flaw.ACKNOWLEDGES_WITHOUT_SYNC) && !first) {
          position = position.toBuilder().setRevision(position.getRevision() + 1).build();
          ask(true);
        }
        first &= item.getOpCase() != OpItem.OpCase.SYNC;
      }

      @Override
      public void onError(Throwable cause) {
        end.countDown();
      }

      @Override
      public void onCompleted() {
        end.countDown();
      }
    }

    private static String key(Ref ref) {
      return ref.getSetValue() + " " + ref.getPath();
    }

    @Override
    public Optional<String> ended() {
      return thread.isAlive() ? Optional.empty() : Optional.of("it gave up");
    }

    @Override
    public Optional<List<String>> state() {
      Map<String, Value> present = applied;
      PersistentMap<NamespacedName, NodeService> services = PersistentMap.empty();
      try {
        List<String> lines = new ArrayList<>();
        for (Value value : present.values()) {
          switch (value.getRef().getSet()) {
            case ServicesSet -> {
              NodeService service =
                  NodeMessages.service(
                      Service.parseFrom(value.getBytes()), endpoints(present, value), place.node());
              services = services.with(service.name(), service);
            }
            case NodeFactsSet ->
                lines.add(
                    StateComparison.facts(
                        NodeMessages.facts(NodeFacts.parseFrom(value.getBytes()))));
            default -> {}
          }
        }
        lines.addAll(
            StateLines.of(
                NodeImage.of(1, dev.portolan.core.node.NodeFacts.unknown(place.node()), services)));
        return kpng ? Optional.empty() : Optional.of(lines);
      } catch (WireException | InvalidProtocolBufferException e) {
        throw new IllegalStateException(e);
      }
    }

    private static List<Endpoint> endpoints(Map<String, Value> values, Value service)
        throws InvalidProtocolBufferException {
      List<Endpoint> endpoints = new ArrayList<>();
      for (Value value : values.values()) {
        if (value.getRef().getSet() == Set.EndpointsSet
            && value.getRef().getPath().startsWith(service.getRef().getPath() + "/")) {
          endpoints.add(Endpoint.parseFrom(value.getBytes()));
        }
      }
      return endpoints;
    }

    @Override
    public void close() {
      thread.interrupt();
      connection.close();
    }
  }
}

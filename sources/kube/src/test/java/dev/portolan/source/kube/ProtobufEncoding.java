package dev.portolan.source.kube;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.source.kube.wire.ProtobufFormat;
import dev.portolan.source.kube.wire.WireWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes protobuf, with many fields that Portolan does not read. */
final class ProtobufEncoding implements Encoding {
  @Override
  public String type() {
    return ProtobufFormat.TYPE;
  }

  @Override
  public byte[] list(String kind, List<Stored> objects, String version) {
    WireWriter list = new WireWriter();
    list.message(1, new WireWriter().text(2, version));
    objects.forEach(object -> list.message(2, object(object)));
    return envelope(kind + "List", list);
  }

  @Override
  public byte[] event(String type, Stored object) {
    return event(type, envelope("Object", object(object)));
  }

  @Override
  public byte[] bookmark(String kind, String version) {
    WireWriter meta = new WireWriter().text(6, version);
    return event("BOOKMARK", envelope(kind, new WireWriter().message(1, meta)));
  }

  @Override
  public byte[] error(int code, String message) {
    return event("ERROR", status(code, message));
  }

  @Override
  public byte[] status(int code, String message) {
    return envelope("Status", new WireWriter().text(3, message).number(6, code));
  }

  private static byte[] event(String type, byte[] raw) {
    byte[] event =
        new WireWriter().text(1, type).message(2, new WireWriter().bytes(1, raw)).bytes();
    return ByteBuffer.allocate(4 + event.length).putInt(event.length).put(event).array();
  }

  private static byte[] envelope(String kind, WireWriter object) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {'k', '8', 's', 0});
    out.writeBytes(
        new WireWriter()
            .message(1, new WireWriter().text(1, "v1").text(2, kind))
            .message(2, object)
            .text(3, "")
            .bytes());
    return out.toByteArray();
  }

  private static WireWriter object(Stored stored) {
    return switch (stored.object()) {
      case Service service -> service(service, stored.version());
      case EndpointSlice slice -> slice(slice, stored.version());
      case Node node -> node(node, stored.version());
      case ServiceCidr cidr ->
          new WireWriter()
              .message(1, meta("", cidr.name(), stored.version(), Map.of(), null))
              .message(2, new WireWriter().texts(1, cidr.cidrs()));
      default -> throw new IllegalArgumentException();
    };
  }

  private static WireWriter meta(
      String namespace,
      String name,
      long version,
      Map<String, String> labels,
      @Nullable Instant created) {
    WireWriter meta = new WireWriter().text(1, name).text(3, namespace).text(5, "some-uid");
    meta.text(6, Long.toString(version)).number(7, 12);
    meta.message(8, created == null ? new WireWriter() : time(created));
    labels.forEach((key, value) -> meta.message(11, new WireWriter().text(1, key).text(2, value)));
    meta.message(11, new WireWriter().text(1, "app").text(2, "anything"));
    meta.message(12, new WireWriter().text(1, "note").text(2, "x".repeat(100)));
    return meta.message(13, new WireWriter().text(1, "owner"))
        .message(17, new WireWriter().text(1, "manager").text(2, "Update"));
  }

  private static WireWriter time(Instant time) {
    return new WireWriter().number(1, time.getEpochSecond()).number(2, time.getNano());
  }

  private static WireWriter service(Service service, long version) {
    Map<String, String> labels = new TreeMap<>();
    labels.putAll(service.metadata().labels());
    service.proxyName().ifPresent(name -> labels.put(Service.PROXY_NAME_LABEL, name));
    if (service.labelledHeadless()) {
      labels.put(Service.HEADLESS_LABEL, "");
    }
    WireWriter spec = new WireWriter();
    for (Service.Port port : service.ports()) {
      spec.message(
          1,
          new WireWriter()
              .text(1, port.name())
              .text(2, port.protocol().toString())
              .number(3, port.port())
              .message(4, target(port.targetPort()))
              .number(5, port.nodePort()));
    }
    spec.message(2, new WireWriter().text(1, "app").text(2, "web"))
        .text(3, service.clusterIps().isEmpty() ? "" : service.clusterIps().getFirst())
        .text(4, service.type().toString())
        .texts(5, service.externalIps())
        .text(7, service.affinitySeconds().isPresent() ? "ClientIP" : "None")
        .texts(9, service.sourceRanges())
        .text(
            11,
            service.externalTrafficPolicy() == TrafficPolicy.CLUSTER
                ? ""
                : service.externalTrafficPolicy().toString())
        .number(12, service.healthCheckNodePort());
    service
        .affinitySeconds()
        .ifPresent(seconds ->
            spec.message(14, new WireWriter().message(1, new WireWriter().number(1, seconds))));
    spec.texts(18, service.clusterIps());
    service.ipFamilies().forEach(family -> spec.text(19, family.toString()));
    spec.text(22, service.internalTrafficPolicy().toString());
    WireWriter balancer = new WireWriter();
    for (Service.Ingress ingress : service.ingress()) {
      balancer.message(
          1, new WireWriter().text(1, ingress.ip()).text(3, ingress.vip() ? "VIP" : "Proxy"));
    }
    WireWriter meta =
        meta(service.name().namespace(), service.name().name(), version, labels, service.created());
    service
        .metadata()
        .annotations()
        .forEach((key, value) -> meta.message(12, new WireWriter().text(1, key).text(2, value)));
    return new WireWriter()
        .message(1, meta)
        .message(2, spec)
        .message(3, new WireWriter().message(1, balancer));
  }

  private static WireWriter slice(EndpointSlice slice, long version) {
    Map<String, String> labels = new TreeMap<>();
    if (!slice.serviceName().isEmpty()) {
      labels.put(EndpointSlice.SERVICE_NAME_LABEL, slice.serviceName());
    }
    if (slice.labelledHeadless()) {
      labels.put(Service.HEADLESS_LABEL, "");
    }
    WireWriter meta =
        meta(slice.name().namespace(), slice.name().name(), version, labels, Instant.EPOCH);
    Instant trigger = slice.triggerTime();
    if (trigger != null) {
      meta.message(
          12,
          new WireWriter()
              .text(1, EndpointSlice.TRIGGER_TIME_ANNOTATION)
              .text(2, trigger.toString()));
    }
    WireWriter object = new WireWriter().message(1, meta);
    slice.members().forEach(member -> object.message(2, member(member)));
    for (EndpointSlice.Port port : slice.ports()) {
      object.message(
          3,
          new WireWriter()
              .text(1, port.name())
              .text(2, port.protocol().toString())
              .number(3, port.port()));
    }
    return object.text(4, slice.addressType().toString());
  }

  private static WireWriter member(EndpointSlice.Member member) {
    WireWriter hints = new WireWriter();
    member.zoneHints().forEach(zone -> hints.message(1, new WireWriter().text(1, zone)));
    member.nodeHints().forEach(node -> hints.message(2, new WireWriter().text(1, node)));
    WireWriter endpoint =
        new WireWriter()
            .texts(1, member.addresses())
            .message(
                2,
                new WireWriter()
                    .truth(1, member.conditions().ready())
                    .truth(2, member.conditions().serving())
                    .truth(3, member.conditions().terminating()));
    if (!member.target().isEmpty()) {
      endpoint.message(4, new WireWriter().text(3, member.target()));
    }
    return endpoint.text(6, member.node()).text(7, member.zone()).message(8, hints);
  }

  private static WireWriter node(Node node, long version) {
    WireWriter spec = new WireWriter();
    spec.text(1, node.podCidrs().isEmpty() ? "" : node.podCidrs().getFirst());
    if (node.leaving()) {
      spec.message(5, new WireWriter().text(1, Node.AUTOSCALER_TAINT).text(3, "NoSchedule"));
    }
    spec.texts(7, node.podCidrs());
    WireWriter status = new WireWriter();
    status.message(1, new WireWriter().text(1, "cpu").message(2, new WireWriter().text(1, "4")));
    node.internalIps().forEach(ip -> status.message(5, address("InternalIP", ip)));
    node.externalIps().forEach(ip -> status.message(5, address("ExternalIP", ip)));
    Map<String, String> labels =
        node.zone().isEmpty() ? Map.of() : Map.of(Node.ZONE_LABEL, node.zone());
    return new WireWriter()
        .message(1, meta("", node.name(), version, labels, Instant.EPOCH))
        .message(2, spec)
        .message(3, status);
  }

  private static WireWriter target(int number) {
    return number == 0
        ? new WireWriter().number(1, 1).text(3, "http")
        : new WireWriter().number(2, number);
  }

  private static WireWriter address(String type, String ip) {
    return new WireWriter().text(1, type).text(2, ip);
  }
}

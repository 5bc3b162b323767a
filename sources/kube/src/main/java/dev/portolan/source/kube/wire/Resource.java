package dev.portolan.source.kube.wire;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.source.objects.JsonObjects;
import dev.portolan.text.Field;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A type of objects: where the server has them, which of them are asked for, how they are read, and
 * which part of the cluster they are.
 *
 * @param name the plural in lower case, as in the path
 * @param listKind what the server calls a list of them
 * @param selectors the part of a query that selects some of them, with a leading {@code &}
 * @param optional whether older servers do not have it
 * @param key makes the key of an object from its namespace and name
 * @param ownKey the key that the object itself has, so that it is kept once
 */
public record Resource<K extends Comparable<? super K>, V>(
    String name,
    String listKind,
    String path,
    String selectors,
    boolean optional,
    BiFunction<String, String, K> key,
    Function<V, K> ownKey,
    WireDecoder<V> wire,
    Function<Field, V> json,
    Function<ClusterImage, PersistentMap<K, V>> held,
    BiFunction<ClusterImage, PersistentMap<K, V>, ClusterImage> with) {

  /** The services that have an address and are for kube-proxy. */
  public static Resource<NamespacedName, Service> services() {
    return services(Optional.empty(), false);
  }

  /**
   * The same for the proxy of that name.
   *
   * @param metadata whether labels and annotations are kept
   */
  public static Resource<NamespacedName, Service> services(
      Optional<String> proxyName, boolean metadata) {
    String selector =
        proxyName
            .map(name -> Service.PROXY_NAME_LABEL + "=" + name)
            .orElse("!" + Service.PROXY_NAME_LABEL);
    return services(label(selector) + field("spec.clusterIP!=None"), metadata);
  }

  /**
   * All services, also those that no proxy serves.
   *
   * @param metadata whether labels and annotations are kept
   */
  public static Resource<NamespacedName, Service> allServices(boolean metadata) {
    return services("", metadata);
  }

  private static Resource<NamespacedName, Service> services(String selectors, boolean metadata) {
    return new Resource<>(
        "services",
        "ServiceList",
        "/api/v1/services",
        selectors,
        false,
        NamespacedName::new,
        Service::name,
        metadata ? ServiceWire::decodeWithMetadata : ServiceWire::decode,
        metadata ? JsonObjects::service : JsonObjects::serviceWithoutMetadata,
        ClusterImage::services,
        (image, services) ->
            new ClusterImage(services, image.slices(), image.nodes(), image.serviceCidrs()));
  }

  /** The slices of services that have an address. */
  public static Resource<NamespacedName, EndpointSlice> slices() {
    return slices(label("!" + Service.HEADLESS_LABEL));
  }

  /** All slices. */
  public static Resource<NamespacedName, EndpointSlice> allSlices() {
    return slices("");
  }

  private static Resource<NamespacedName, EndpointSlice> slices(String selectors) {
    return new Resource<>(
        "endpointslices",
        "EndpointSliceList",
        "/apis/discovery.k8s.io/v1/endpointslices",
        selectors,
        false,
        NamespacedName::new,
        EndpointSlice::name,
        SliceWire::decode,
        JsonObjects::slice,
        ClusterImage::slices,
        (image, slices) ->
            new ClusterImage(image.services(), slices, image.nodes(), image.serviceCidrs()));
  }

  /** The node of that name, or all of them. */
  public static Resource<String, Node> nodes(Optional<String> own) {
    return new Resource<>(
        "nodes",
        "NodeList",
        "/api/v1/nodes",
        own.map(name -> field("metadata.name=" + name)).orElse(""),
        false,
        (namespace, name) -> name,
        Node::name,
        NodeWire::decode,
        JsonObjects::node,
        ClusterImage::nodes,
        (image, nodes) ->
            new ClusterImage(image.services(), image.slices(), nodes, image.serviceCidrs()));
  }

  /** The ranges of the services' addresses. */
  public static Resource<String, ServiceCidr> serviceCidrs() {
    return new Resource<>(
        "servicecidrs",
        "ServiceCIDRList",
        "/apis/networking.k8s.io/v1/servicecidrs",
        "",
        true,
        (namespace, name) -> name,
        ServiceCidr::name,
        ServiceCidrWire::decode,
        JsonObjects::serviceCidr,
        ClusterImage::serviceCidrs,
        (image, cidrs) -> new ClusterImage(image.services(), image.slices(), image.nodes(), cidrs));
  }

  private static String label(String selector) {
    return "&labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
  }

  private static String field(String selector) {
    return "&fieldSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
  }
}

package dev.portolan.source.objects;

import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The words that Kubernetes has for values, in every encoding of an object. */
public final class ObjectWords {
  public static final SortedMap<String, Protocol> PROTOCOLS = words(Protocol.values());
  public static final SortedMap<String, ServiceType> TYPES = words(ServiceType.values());
  public static final SortedMap<String, TrafficPolicy> POLICIES = words(TrafficPolicy.values());
  public static final SortedMap<String, IpFamily> FAMILIES = words(IpFamily.values());
  public static final SortedMap<String, AddressType> ADDRESS_TYPES = words(AddressType.values());

  /** Whether session affinity is asked for. */
  public static final SortedMap<String, Boolean> AFFINITIES =
      words(Map.of("None", false, "ClientIP", true));

  /** Whether packets arrive with the load balancer's address as destination. */
  public static final SortedMap<String, Boolean> IP_MODES =
      words(Map.of("VIP", true, "Proxy", false));

  private ObjectWords() {}

  private static <E> SortedMap<String, E> words(E[] values) {
    return words(Arrays.stream(values).collect(Collectors.toMap(Object::toString, it -> it)));
  }

  private static <E> SortedMap<String, E> words(Map<String, E> words) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(words));
  }
}

package dev.portolan.source.objects;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.text.Field;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The kinds of objects that are read, in the versions that are understood. */
public enum Kind {
  SERVICE("Service", "v1", "v1") {
    @Override
    public Decoded decode(Field object, Warnings warnings) {
      Service service = ServiceDecoder.decode(object);
      KnownFields.SERVICE.check(object, warnings);
      if (service.clusterIps().isEmpty() && service.type() != ServiceType.EXTERNAL_NAME) {
        warnings.add(
            object
                .at("spec")
                .at("clusterIP")
                .finding(
                    "missing, so the service is not served; an API server would assign an address:"
                        + " write one here"));
      }
      return new Decoded(service.ref(), object.place(), delta -> delta.set(service));
    }
  },
  ENDPOINT_SLICE("EndpointSlice", "discovery.k8s.io/v1", "discovery.k8s.io/v1") {
    @Override
    public Decoded decode(Field object, Warnings warnings) {
      EndpointSlice slice = SliceDecoder.decode(object, warnings);
      KnownFields.ENDPOINT_SLICE.check(object, warnings);
      return new Decoded(slice.ref(), object.place(), delta -> delta.set(slice));
    }
  },
  NODE("Node", "v1", "v1") {
    @Override
    public Decoded decode(Field object, Warnings warnings) {
      Node node = NodeDecoder.decode(object);
      KnownFields.NODE.check(object, warnings);
      return new Decoded(node.ref(), object.place(), delta -> delta.set(node));
    }
  },
  SERVICE_CIDR("ServiceCIDR", "networking.k8s.io/v1", "networking.k8s.io/v1beta1") {
    @Override
    public Decoded decode(Field object, Warnings warnings) {
      ServiceCidr cidr = serviceCidr(object);
      KnownFields.SERVICE_CIDR.check(object, warnings);
      return new Decoded(cidr.ref(), object.place(), delta -> delta.set(cidr));
    }
  };

  private final String label;
  private final String apiVersion;
  private final String olderApiVersion;

  Kind(String label, String apiVersion, String olderApiVersion) {
    this.label = label;
    this.apiVersion = apiVersion;
    this.olderApiVersion = olderApiVersion;
  }

  /** An object that was read, the place where it starts, and how it is put into a transaction. */
  public record Decoded(ObjectRef ref, String place, Consumer<ClusterDelta.Builder> put) {}

  /** The ServiceCIDR in {@code object}. */
  static ServiceCidr serviceCidr(Field object) {
    return new ServiceCidr(new Metadata(object).name(), object.at("spec").at("cidrs").texts());
  }

  /** Reads an object of this kind. */
  public abstract Decoded decode(Field object, Warnings warnings);

  /**
   * The kind of that name in the group of {@code apiVersion}, or null; without a group, by name.
   */
  public static @Nullable Kind of(String apiVersion, String label) {
    for (Kind kind : values()) {
      boolean sameGroup = apiVersion.isEmpty() || group(kind.apiVersion).equals(group(apiVersion));
      if (kind.label.equals(label) && sameGroup) {
        return kind;
      }
    }
    return null;
  }

  /**
   * What a person may have meant by an object that is not read: a kind that is misspelt, or one
   * that another kind has replaced; empty where it is simply not needed.
   */
  public static Optional<String> meantBy(String apiVersion, String label) {
    if (label.equals("Endpoints") && apiVersion.equals("v1")) {
      return Optional.of(
          "Endpoints are not read, only EndpointSlices ("
              + ENDPOINT_SLICE.apiVersion
              + "); ignored, so write one of these");
    }
    return Arrays.stream(values())
        .filter(kind -> !kind.label.equals(label) && kind.label.equalsIgnoreCase(label))
        .findFirst()
        .map(kind -> quote(label) + " is not known; ignored, write " + kind.label);
  }

  /** Whether the objects of that version are understood. */
  public boolean understands(String version) {
    return version.equals(apiVersion) || version.equals(olderApiVersion);
  }

  /** The version to write. */
  public String apiVersion() {
    return apiVersion;
  }

  /** The kind as Kubernetes writes it. */
  @Override
  public String toString() {
    return label;
  }

  private static String group(String apiVersion) {
    return apiVersion.substring(0, apiVersion.lastIndexOf('/') + 1);
  }
}

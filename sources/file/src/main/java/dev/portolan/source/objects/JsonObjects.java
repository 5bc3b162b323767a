package dev.portolan.source.objects;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;

/**
 * Objects in JSON as an API server sends them, read as manifests are.
 *
 * <p>Every method throws a {@link TextException} where the object is not as it must be.
 */
public final class JsonObjects {
  private JsonObjects() {}

  /** The Service in {@code object}. */
  public static Service service(Field object) {
    return ServiceDecoder.decode(object.asObject(Kind.SERVICE.toString()));
  }

  /** The same without its labels and annotations, which take room. */
  public static Service serviceWithoutMetadata(Field object) {
    return service(object).withoutMetadata();
  }

  /** The EndpointSlice in {@code object}. */
  public static EndpointSlice slice(Field object) {
    return SliceDecoder.decode(object.asObject(Kind.ENDPOINT_SLICE.toString()), new Warnings(""));
  }

  /** The Node in {@code object}. */
  public static Node node(Field object) {
    return NodeDecoder.decode(object.asObject(Kind.NODE.toString()));
  }

  /** The ServiceCIDR in {@code object}. */
  public static ServiceCidr serviceCidr(Field object) {
    return Kind.serviceCidr(object.asObject(Kind.SERVICE_CIDR.toString()));
  }
}

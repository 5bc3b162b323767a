package dev.portolan.source.kube;

import java.util.List;

/** How the fake server writes: the reverse of {@link dev.portolan.source.kube.wire.WireFormat}. */
interface Encoding {
  /** The media type of answers. */
  String type();

  /** A list of {@code objects}. */
  byte[] list(String kind, List<Stored> objects, String version);

  /** One event of a watch; a bookmark has no object. */
  byte[] event(String type, Stored object);

  /** A bookmark of objects of {@code kind}. */
  byte[] bookmark(String kind, String version);

  /** An ERROR event. */
  byte[] error(int code, String message);

  /** The body of a refusal. */
  byte[] status(int code, String message);

  /** An object and the version in which it was stored. */
  record Stored(Object object, long version) {}
}

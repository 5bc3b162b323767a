package dev.portolan.source.kube.wire;

/** Decodes the protobuf of one kind of object; fields are known by their numbers. */
interface WireDecoder<V> {
  /** Decodes the object at {@code in}; its metadata goes into {@code meta}. */
  V decode(WireReader in, WireMeta meta) throws DecodeException;
}

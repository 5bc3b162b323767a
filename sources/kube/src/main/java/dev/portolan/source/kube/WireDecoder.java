package dev.portolan.source.kube;

/** Reads an object of one kind out of protobuf, whose fields are known by their numbers. */
interface WireDecoder<V> {
  /** Reads the object that {@code in} is over; {@code meta} takes its metadata. */
  V decode(WireReader in, WireMeta meta) throws DecodeException;
}

package dev.portolan.source.kube.wire;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;

/** Answers of a kube-apiserver v1.37.1, as they came. */
final class Captures {
  private Captures() {}

  /** The bytes of one answer. */
  static byte[] read(String name) throws IOException {
    try (InputStream in = Captures.class.getResourceAsStream("/captures/" + name)) {
      if (in == null) {
        throw new FileNotFoundException(name);
      }
      return in.readAllBytes();
    }
  }

  /** An answer of these bytes, which never times out. */
  static InputBuffer answer(byte[] bytes) {
    return new InputBuffer(new ByteArrayInputStream(bytes), new ReadTimeout(System::nanoTime));
  }
}

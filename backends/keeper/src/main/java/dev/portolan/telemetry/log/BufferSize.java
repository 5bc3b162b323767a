package dev.portolan.telemetry.log;

import dev.portolan.core.text.KubeQuantity;

/** The number of bytes that a quantity such as {@code 64Ki} stands for. */
final class BufferSize {
  /** More than this would only delay lines. */
  private static final int LARGEST = 16 << 20;

  private BufferSize() {}

  /** Reads a quantity that the configuration has accepted; a part of a byte counts as one. */
  static int of(String quantity) {
    long bytes =
        KubeQuantity.parse(quantity)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "'" + quantity + "' is not a valid quantity such as 64Ki"));
    return Math.clamp(bytes, 0, LARGEST);
  }
}

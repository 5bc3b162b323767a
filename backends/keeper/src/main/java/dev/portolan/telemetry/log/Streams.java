package dev.portolan.telemetry.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;

/**
 * Where lines go.
 *
 * @param info used for informational lines, only where the configuration splits the streams
 * @param error used for everything else
 */
public record Streams(OutputStream info, OutputStream error) {
  /** The standard output and the standard error of this process. */
  public static Streams standard() {
    return new Streams(
        new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err));
  }
}

package dev.portolan.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Writes a tar file (ustar) in which nothing depends on the machine: all belongs to root and has
 * one time.
 */
final class TarWriter implements Closeable {
  private static final int BLOCK = 512;
  private static final int NAME = 100;
  private static final int PREFIX = 155;
  private static final int PREFIX_AT = 345;
  private static final int CHECKSUM_AT = 148;
  private static final int CHECKSUM = 8;

  private final OutputStream out;
  private final Instant time;

  TarWriter(OutputStream out, Instant time) {
    this.out = out;
    this.time = time;
  }

  void directory(String path, int mode) throws IOException {
    header(path + "/", mode, 0, '5', "");
  }

  void file(String path, int mode, byte[] content) throws IOException {
    header(path, mode, content.length, '0', "");
    out.write(content);
    pad(content.length);
  }

  void file(String path, int mode, Path content) throws IOException {
    long size = Files.size(content);
    header(path, mode, size, '0', "");
    Files.copy(content, out);
    pad(size);
  }

  void link(String path, String target) throws IOException {
    header(path, 0777, 0, '2', target);
  }

  /** Ends the archive. */
  @Override
  public void close() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.close();
  }

  private void header(String path, int mode, long size, char type, String target)
      throws IOException {
    byte[] block = new byte[BLOCK];
    int cut = cut(path);
    put(block, 0, NAME, path.substring(cut == 0 ? 0 : cut + 1));
    number(block, 100, 8, mode);
    number(block, 108, 8, 0);
    number(block, 116, 8, 0);
    number(block, 124, 12, size);
    number(block, 136, 12, time.getEpochSecond());
    block[156] = (byte) type;
    put(block, 157, NAME, target);
    put(block, 257, 8, "ustar\00000");
    number(block, 329, 8, 0);
    number(block, 337, 8, 0);
    put(block, PREFIX_AT, PREFIX, path.substring(0, cut));
    checksum(block);
    out.write(block);
  }

  /** Where a path is cut in two, as its last part has room for 100 bytes only; 0 if it fits. */
  private static int cut(String path) {
    return path.getBytes(UTF_8).length <= NAME
        ? 0
        : Math.max(0, path.indexOf('/', path.length() - NAME - 1));
  }

  private static void checksum(byte[] block) {
    put(block, CHECKSUM_AT, CHECKSUM, " ".repeat(CHECKSUM));
    int sum = 0;
    for (byte each : block) {
      sum += Byte.toUnsignedInt(each);
    }
    put(block, CHECKSUM_AT, CHECKSUM, "%06o\0 ".formatted(sum));
  }

  private static void number(byte[] block, int at, int length, long value) {
    put(block, at, length, ("%0" + (length - 1) + "o").formatted(value));
  }

  private static void put(byte[] block, int at, int length, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    if (bytes.length > length) {
      throw new BuildFailure("too long for a tar file: " + text);
    }
    System.arraycopy(bytes, 0, block, at, bytes.length);
  }

  private void pad(long size) throws IOException {
    out.write(new byte[(int) (-size & (BLOCK - 1))]);
  }
}

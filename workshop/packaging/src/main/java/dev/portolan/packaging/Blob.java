package dev.portolan.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A file of an image, known by its digest. */
record Blob(Path file, String sha256, long size) {
  /** Reads a file's digest and size. */
  static Blob of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        DigestInputStream digested =
            new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
      long size = digested.transferTo(OutputStream.nullOutputStream());
      return new Blob(file, HexFormat.of().formatHex(digested.getMessageDigest().digest()), size);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes a file of this text. */
  static Blob of(Path file, String text) throws IOException {
    Files.writeString(file, text);
    return of(file);
  }

  /** What refers to it in an image. */
  String descriptor(String mediaType, String more) {
    return "{\"mediaType\":\"%s\",\"digest\":\"sha256:%s\",\"size\":%d%s}"
        .formatted(mediaType, sha256, size, more);
  }

  /** Where it is in an archive. */
  String path() {
    return "blobs/sha256/" + sha256;
  }
}

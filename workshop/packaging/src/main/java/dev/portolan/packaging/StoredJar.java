package dev.portolan.packaging;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A jar without compression: what holds it is compressed as a whole, and much smaller so, and
 * nothing has to be inflated when the program starts.
 */
final class StoredJar {
  private StoredJar() {}

  /** Copies the entries of a jar, in their order and with their times. */
  static void copy(Path from, Path to) throws IOException {
    try (ZipFile jar = new ZipFile(from.toFile());
        ZipOutputStream out =
            new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(to)))) {
      Enumeration<? extends ZipEntry> entries = jar.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        byte[] content = jar.getInputStream(entry).readAllBytes();
        CRC32 sum = new CRC32();
        sum.update(content);
        ZipEntry stored = new ZipEntry(entry.getName());
        stored.setMethod(ZipEntry.STORED);
        stored.setTimeLocal(entry.getTimeLocal());
        stored.setSize(content.length);
        stored.setCrc(sum.getValue());
        out.putNextEntry(stored);
        out.write(content);
        out.closeEntry();
      }
    }
  }
}

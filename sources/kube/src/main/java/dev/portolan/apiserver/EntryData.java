package dev.portolan.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.portolan.text.Field;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;

/** Data in an entry of a kubeconfig: given in base64, or as the name of a file. */
final class EntryData {
  private final Field field;
  private final Material material;
  private final boolean isFile;

  private EntryData(Field field, Material material, boolean isFile) {
    this.field = field;
    this.material = material;
    this.isFile = isFile;
  }

  /** A check of bytes that says what is wrong with them. */
  @FunctionalInterface
  interface Check {
    /** Returns normally if the bytes are valid. */
    void check(byte[] content) throws GeneralSecurityException, ApiException;
  }

  /** The data of {@code key}, if there is any; a relative path begins at {@code kubeconfig}. */
  static Optional<EntryData> of(Field entry, String key, Path kubeconfig) {
    Field data = entry.at(key + "-data");
    if (!data.text("").isEmpty()) {
      return Optional.of(new EntryData(data, Material.of(decode(data)), false));
    }
    return inFile(entry.at(key), kubeconfig);
  }

  /** The data in the file that {@code path} names, if any. */
  static Optional<EntryData> inFile(Field path, Path kubeconfig) {
    if (path.text("").isEmpty()) {
      return Optional.empty();
    }
    Path file = kubeconfig.resolveSibling(path.text());
    return Optional.of(new EntryData(path, Material.in(file), true));
  }

  /** The data, which passes {@code check}. */
  Material checked(Check check) {
    try {
      check.check(material.content());
      return material;
    } catch (ApiException e) {
      throw field.wrong(e.getMessage() + "; correct the path or the file");
    } catch (GeneralSecurityException e) {
      String text = isFile ? material.describe() + ": " + e.getMessage() : e.getMessage();
      throw field.wrong(text + "; " + (isFile ? "correct the path or the file" : "write it again"));
    }
  }

  private static byte[] decode(Field data) {
    try {
      return Base64.getDecoder().decode(data.text().replaceAll("\\s", "").getBytes(UTF_8));
    } catch (IllegalArgumentException e) {
      throw data.wrong(
          "not valid base64; encode it again, or name a file without '-data' in the key");
    }
  }
}

package dev.portolan.source.file;

import dev.portolan.source.file.ManifestListing.Fingerprint;
import dev.portolan.text.FileText;
import dev.portolan.text.Sentence;
import dev.portolan.text.TextException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps what was read, so that only files which changed are read again. */
public final class ManifestLibrary {
  /** As coarse as the clock of a file system may be. */
  private static final long LARGEST = 512L << 20;

  private static final Duration CLOCK_STEP = Duration.ofMillis(20);

  private static final ManifestFile NOTHING = new ManifestFile(List.of(), List.of());

  private final ReadProgress progress;
  private Map<Path, Shelved> shelf = Map.of();

  /** Says by {@code progress} how far it is. */
  public ManifestLibrary(ReadProgress progress) {
    this.progress = progress;
  }

  /**
   * A file as it was read.
   *
   * @param content the newest that could be read
   * @param failure why what the file holds now cannot be read
   * @param settled whether a file with this fingerprint surely holds this: one that was changed
   *     just before it was read may have been changed once more within a step of the clock
   */
  private record Shelved(
      Fingerprint fingerprint,
      ManifestFile content,
      @Nullable TextException failure,
      boolean settled) {}

  /** Whether reading {@code listing} would give the same as the last time. */
  boolean isCurrent(ManifestListing listing) {
    return listing.files().keySet().equals(shelf.keySet())
        && listing.files().entrySet().stream()
            .allMatch(file -> isCurrent(shelf.get(file.getKey()), file.getValue()));
  }

  /** Reads a file, or all manifests in a folder; those that are as before are not read again. */
  public Manifests read(Path path) {
    return read(ManifestListing.of(path));
  }

  /** Reads what is in {@code listing}; a single file that cannot be read makes all of it fail. */
  Manifests read(ManifestListing listing) {
    Map<Path, Shelved> read = new LinkedHashMap<>();
    progress.expect(listing.files().values().stream().mapToLong(Fingerprint::size).sum());
    listing
        .files()
        .forEach((path, fingerprint) -> {
          Shelved known = shelf.get(path);
          read.put(
              path,
              known != null && isCurrent(known, fingerprint)
                  ? known
                  : open(path, fingerprint, known));
          progress.finish(fingerprint.size());
        });
    shelf = read;
    List<ManifestFile> contents = new ArrayList<>();
    for (Shelved file : read.values()) {
      if (file.failure != null) {
        throw file.failure;
      }
      contents.add(file.content);
    }
    Manifests manifests = Manifests.of(contents);
    List<String> warnings = new ArrayList<>(listing.warnings());
    warnings.addAll(manifests.warnings());
    if (manifests.places().isEmpty()) {
      warnings.add(
          Sentence.of(
              listing.path().toString(),
              "contains no Service, EndpointSlice, Node or ServiceCIDR, so the cluster is empty"));
    }
    return new Manifests(manifests.image(), warnings, manifests.places());
  }

  private static boolean isCurrent(@Nullable Shelved known, Fingerprint fingerprint) {
    return known != null && known.settled && known.fingerprint.equals(fingerprint);
  }

  private Shelved open(Path path, Fingerprint fingerprint, @Nullable Shelved known) {
    ManifestFile before = known == null ? NOTHING : known.content;
    boolean sameAgain = known != null && known.fingerprint.equals(fingerprint);
    boolean settled =
        sameAgain || fingerprint.modified().toInstant().isBefore(Instant.now().minus(CLOCK_STEP));
    try {
      String text = text(path);
      if (text.isEmpty() && !before.objects().isEmpty()) {
        throw new TextException(
            Sentence.of(
                path.toString(),
                "is empty, probably because it is being rewritten; its objects stay until the file"
                    + " is deleted"));
      }
      return new Shelved(
          fingerprint, ManifestFile.parse(path.toString(), text, progress), null, settled);
    } catch (TextException e) {
      return new Shelved(fingerprint, before, e, settled);
    } catch (IOException | SecurityException e) {
      return new Shelved(fingerprint, before, ManifestListing.unreadable(path, e), false);
    }
  }

  /** The text of a file. */
  static String text(Path path) throws IOException {
    if (Files.isRegularFile(path) && Files.size(path) > LARGEST) {
      throw new TextException(
          Sentence.of(
              path.toString(),
              "is larger than " + (LARGEST >> 20) + " MB; split it into several files"));
    }
    try {
      // Text of ASCII is not copied.
      return Files.readString(path);
    } catch (CharacterCodingException e) {
      return FileText.decode(path.toString(), Files.readAllBytes(path));
    }
  }
}

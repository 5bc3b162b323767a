package dev.portolan.testkit.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** A program of this tree in Go, which speaks the API with another gRPC than ours. */
public enum GoProgram {
  /** A client that knows what KPNG's clients know. */
  PRINT_STATE("go-print-state", "examples/go-print-state"),
  /** A server that sends what KPNG's brain sends. */
  BRAIN("go-brain", "workshop/testkit/src/main/go/brain");

  private static final int FINGERPRINT_DIGITS = 12;

  private final String title;
  private final String folder;

  GoProgram(String title, String folder) {
    this.title = title;
    this.folder = folder;
  }

  /** The program that {@code ./dev peers} built from the sources in {@code tree} as they are. */
  public Optional<Path> find(Path tree) {
    return Optional.of(Peers.folder().resolve(title + "-" + fingerprint(tree)))
        .filter(Files::isExecutable);
  }

  /** The name without the hash of its sources. */
  public String title() {
    return title;
  }

  /** The same as {@code fingerprint} in workshop/build/peers.sh says. */
  private String fingerprint(Path tree) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : sources(tree)) {
        digest.update(Files.readAllBytes(file));
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, FINGERPRINT_DIGITS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Path> sources(Path tree) throws IOException {
    List<Path> sources = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(tree.resolve(folder), "*.go")) {
      files.forEach(sources::add);
    }
    sources.sort(null);
    sources.add(tree.resolve(folder).resolve("go.mod"));
    sources.add(tree.resolve(folder).resolve("go.sum"));
    Path messages = tree.resolve("api/messages/src/main/proto");
    sources.add(messages.resolve("globalv1/api.proto"));
    sources.add(messages.resolve("localv1/api.proto"));
    return sources;
  }
}

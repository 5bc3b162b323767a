package dev.portolan.apiserver;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads kubeconfig files: clusters, users, and contexts that join one of each.
 *
 * <p>Several files are merged, as with kubectl: an entry counts where it is found first, with all
 * of its fields, and so does the current context. Paths are relative to the file that contains
 * them.
 *
 * <p>Errors are reported at once, with file, line, cause and remedy; only a program for credentials
 * is not run before it is needed.
 */
public final class Kubeconfig {
  private final List<Document> documents;

  private Kubeconfig(List<Document> documents) {
    this.documents = documents;
  }

  /** A file and what is in it. */
  private record Document(Path file, Field root) {}

  /** An entry of a list, and the file in which it stands. */
  private record Entry(Path file, Field field) {
    Entry at(String key) {
      return new Entry(file, field.at(key));
    }
  }

  /** The way to a server by the context of that name, or by the file's current one. */
  public static ApiAccess read(Path file, Optional<String> context) throws ApiException {
    return read(List.of(file), context);
  }

  /** The way to a server by several files, the first of which counts most. */
  public static ApiAccess read(List<Path> files, Optional<String> context) throws ApiException {
    List<Document> documents = new ArrayList<>();
    for (Path file : files) {
      // One of several files may be empty, as with kubectl.
      if (files.size() == 1 || Material.in(file).content().length > 0) {
        documents.add(document(file));
      }
    }
    if (documents.isEmpty()) {
      documents.add(document(files.getFirst()));
    }
    try {
      return new Kubeconfig(documents).access(context);
    } catch (TextException e) {
      throw new ApiException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * The files that kubectl reads: those of KUBECONFIG that exist, or the one in the home folder.
   *
   * @return nothing where there is none
   */
  public static List<Path> usual(Map<String, String> environment, Path home) {
    String named = environment.getOrDefault("KUBECONFIG", "");
    Stream<Path> files =
        named.isEmpty()
            ? Stream.of(home.resolve(".kube").resolve("config"))
            : Stream.of(named.split(File.pathSeparator, -1))
                .filter(name -> !name.isEmpty())
                .map(Path::of);
    return files.distinct().filter(Files::exists).toList();
  }

  private static Document document(Path file) throws ApiException {
    byte[] content;
    try {
      content = Material.in(file).content();
    } catch (ApiException e) {
      throw new ApiException(e.getMessage() + "; give the path of a kubeconfig file", e);
    }
    try {
      Field root = Field.parse(file.toString(), "Config", content);
      Field kind = root.at("kind");
      if (!kind.text("Config").equals("Config")) {
        throw kind.wrong(quote(kind.text()) + " is not a kubeconfig; give a file of kind Config");
      }
      return new Document(file.toAbsolutePath(), root);
    } catch (TextException e) {
      throw new ApiException(String.valueOf(e.getMessage()), e);
    }
  }

  private ApiAccess access(Optional<String> wanted) {
    Entry context = context(wanted);
    Field clusterName = context.field.at("cluster");
    if (clusterName.text("").isEmpty()) {
      throw clusterName.wrong("missing; write the name of " + oneOf("clusters"));
    }
    Entry cluster = find("clusters", "cluster", clusterName);
    ClusterEntry server = new ClusterEntry(cluster.field, cluster.file);
    Field userName = context.field.at("user");
    if (userName.text("").isEmpty()) {
      return anonymous(server, false);
    }
    Entry user = find("users", "user", userName);
    return known(server, new UserEntry(user.field, user.file), userName.text());
  }

  private static ApiAccess anonymous(ClusterEntry cluster, boolean mentionsTls) {
    Trust trust = cluster.trust();
    boolean secure = mentionsTls || trust.authority().isPresent() || trust.isInsecure();
    ApiAccess access = ApiAccess.of(cluster.server(secure), trust);
    return cluster.proxy().map(access::withProxy).orElse(access);
  }

  private static ApiAccess known(ClusterEntry cluster, UserEntry user, String name) {
    StoredCredentials stored = user.stored();
    return anonymous(cluster, user.hasCertificate())
        .withCredentials(user.plugin(cluster, name).orElse(stored))
        .withHeaders(user.impersonation());
  }

  private Entry context(Optional<String> wanted) {
    if (wanted.isPresent()) {
      return named("contexts", wanted.get())
          .orElseThrow(() ->
              documents
                  .getFirst()
                  .root
                  .at("contexts")
                  .wrong(quote(wanted.get()) + " is not among them; choose " + oneOf("contexts")))
          .at("context");
    }
    Field current =
        documents.stream()
            .map(document -> document.root.at("current-context"))
            .filter(name -> !name.text("").isEmpty())
            .findFirst()
            .orElseThrow(() ->
                documents
                    .getFirst()
                    .root
                    .at("current-context")
                    .wrong("missing; write the name of " + oneOf("contexts")));
    return find("contexts", "context", current);
  }

  /** The entry of a list that {@code name} names. */
  private Entry find(String list, String key, Field name) {
    return named(list, name.text())
        .orElseThrow(() ->
            name.wrong(
                quote(name.text())
                    + " is not among the "
                    + list
                    + "; write the name of "
                    + oneOf(list)))
        .at(key);
  }

  private Optional<Entry> named(String list, String name) {
    for (Document document : documents) {
      List<Field> found =
          document.root.at(list).items().stream()
              .filter(item -> item.at("name").text("").equals(name))
              .toList();
      if (found.size() > 1) {
        throw found.get(1).at("name").wrong(quote(name) + " is defined twice; rename one of them");
      }
      if (!found.isEmpty()) {
        return Optional.of(new Entry(document.file, found.getFirst()));
      }
    }
    return Optional.empty();
  }

  /** The names that exist. */
  private String oneOf(String list) {
    String names =
        documents.stream()
            .flatMap(document -> document.root.at(list).items().stream())
            .map(item -> quote(item.at("name").text("")))
            .distinct()
            .limit(10)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "an entry of " + list + ", where there is none yet" : names;
  }
}

package dev.portolan.source.kube.access;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads a kubeconfig file: clusters, users, and contexts that join one of each.
 *
 * <p>Errors are reported at once, with file, line, cause and remedy; only a program for credentials
 * is not run before it is needed.
 */
public final class Kubeconfig {
  private final Path file;
  private final Field root;

  private Kubeconfig(Path file, Field root) {
    this.file = file;
    this.root = root;
  }

  /** The way to a server by the context of that name, or by the file's current one. */
  public static ApiAccess read(Path file, Optional<String> context) throws ApiException {
    byte[] content;
    try {
      content = Material.in(file).content();
    } catch (ApiException e) {
      throw new ApiException(e.getMessage() + "; give the path of a kubeconfig file", e);
    }
    try {
      Field root = Field.parse(file.toString(), "Config", content);
      return new Kubeconfig(file.toAbsolutePath(), root).access(context);
    } catch (TextException e) {
      throw new ApiException(String.valueOf(e.getMessage()), e);
    }
  }

  private ApiAccess access(Optional<String> wanted) {
    Field kind = root.at("kind");
    if (!kind.text("Config").equals("Config")) {
      throw kind.wrong(quote(kind.text()) + " is not a kubeconfig; give a file of kind Config");
    }
    Field context = context(wanted);
    Field clusterName = context.at("cluster");
    if (clusterName.text("").isEmpty()) {
      throw clusterName.wrong("missing; write the name of " + oneOf("clusters"));
    }
    Field cluster = find("clusters", "cluster", clusterName);
    ClusterEntry server = new ClusterEntry(cluster, file);
    Field userName = context.at("user");
    return userName.text("").isEmpty()
        ? anonymous(server, false)
        : known(server, new UserEntry(find("users", "user", userName), file), userName.text());
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

  private Field context(Optional<String> wanted) {
    Field current = root.at("current-context");
    if (wanted.isPresent()) {
      return named("contexts", wanted.get())
          .orElseThrow(() ->
              root.at("contexts")
                  .wrong(quote(wanted.get()) + " is not among them; choose " + oneOf("contexts")))
          .at("context");
    }
    if (current.text("").isEmpty()) {
      throw current.wrong("missing; write the name of " + oneOf("contexts"));
    }
    return find("contexts", "context", current);
  }

  /** The entry of a list that {@code name} names. */
  private Field find(String list, String key, Field name) {
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

  private Optional<Field> named(String list, String name) {
    List<Field> found =
        root.at(list).items().stream()
            .filter(item -> item.at("name").text("").equals(name))
            .toList();
    if (found.size() > 1) {
      throw found.get(1).at("name").wrong(quote(name) + " is defined twice; rename one of them");
    }
    return found.stream().findFirst();
  }

  /** The names that exist. */
  private String oneOf(String list) {
    String names =
        root.at(list).items().stream()
            .map(item -> quote(item.at("name").text("")))
            .limit(10)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "an entry of " + list + ", where there is none yet" : names;
  }
}

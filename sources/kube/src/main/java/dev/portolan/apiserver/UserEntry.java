package dev.portolan.apiserver;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.core.text.Json;
import dev.portolan.text.Field;
import dev.portolan.tls.Pem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A user in a kubeconfig. */
final class UserEntry {
  private static final String GROUP = "client.authentication.k8s.io/";
  private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1");
  private static final Set<String> MODES = Set.of("Never", "IfAvailable", "Always");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Field entry;
  private final Path file;

  UserEntry(Field entry, Path file) {
    this.entry = entry;
    this.file = file;
  }

  /** Whether the user has a client certificate. */
  boolean hasCertificate() {
    return EntryData.of(entry, "client-certificate", file).isPresent();
  }

  /** The user's static credentials. */
  StoredCredentials stored() {
    Field provider = entry.at("auth-provider");
    if (provider.isPresent()) {
      throw provider.wrong(
          "Kubernetes no longer supports these; use 'exec' with a program that prints"
              + " credentials");
    }
    return withSecret(withCertificate(StoredCredentials.none()));
  }

  private StoredCredentials withCertificate(StoredCredentials stored) {
    Optional<EntryData> certificate = EntryData.of(entry, "client-certificate", file);
    Optional<EntryData> key = EntryData.of(entry, "client-key", file);
    if (certificate.isPresent() != key.isPresent()) {
      throw entry
          .at(certificate.isPresent() ? "client-key" : "client-certificate")
          .wrong("missing; a client certificate and its key go together, so write both");
    }
    return certificate.isEmpty()
        ? stored
        : stored.withCertificate(
            certificate.get().checked(Pem::certificates),
            key.orElseThrow().checked(Pem::privateKey));
  }

  private StoredCredentials withSecret(StoredCredentials stored) {
    Optional<Material> token =
        EntryData.inFile(entry.at("tokenFile"), file)
            .map(data -> data.checked(UserEntry::checkToken))
            .or(this::token);
    String name = entry.at("username").text("");
    String password = secret(entry.at("password"));
    boolean hasPassword = !name.isEmpty() || !password.isEmpty();
    if (token.isPresent() && hasPassword) {
      throw entry
          .at("username")
          .wrong("a token is set too, and only one of them can be sent; remove one");
    }
    if (token.isPresent()) {
      return stored.withToken(token.get());
    }
    return hasPassword ? stored.withPassword(name, password) : stored;
  }

  private Optional<Material> token() {
    Field token = entry.at("token");
    String text = secret(token);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Material material = Material.of(text.getBytes(StandardCharsets.UTF_8));
    try {
      checkToken(material.content());
    } catch (ApiException e) {
      throw token.wrong(e.getMessage() + "; write the token alone");
    }
    return Optional.of(material);
  }

  /** The text of a field that no message may repeat. */
  private static String secret(Field field) {
    if (field.isPresent() && !field.isText()) {
      throw field.wrong("expected text; put it in quotes");
    }
    return field.text("");
  }

  private static void checkToken(byte[] content) throws ApiException {
    StoredCredentials.bearer(new String(content, StandardCharsets.UTF_8).strip(), "the token");
  }

  /** The program that makes credentials for the user, if there is one. */
  Optional<Credentials> plugin(ClusterEntry cluster, String user) {
    Field exec = entry.at("exec");
    if (!exec.isPresent()) {
      return Optional.empty();
    }
    Field version = exec.at("apiVersion");
    if (!VERSIONS.contains(version.text(""))) {
      String problem =
          version.text("").isEmpty() ? "missing" : quote(version.text()) + " is not supported";
      throw version.wrong(problem + "; write " + GROUP + "v1 or " + GROUP + "v1beta1");
    }
    checkMode(exec.at("interactiveMode"));
    Field program = exec.at("command");
    if (program.text("").isEmpty()) {
      throw program.wrong("missing; write the program that prints the credentials");
    }
    return Optional.of(
        new ExecPlugin(
            new ExecPlugin.Command(
                file + ": user " + quote(user),
                version.text(),
                resolved(program.text()),
                exec.at("args").texts(),
                environment(exec, version.text(), cluster),
                exec.at("installHint").text("")),
            PATIENCE));
  }

  private static void checkMode(Field mode) {
    if (!mode.isPresent()) {
      return;
    }
    if (!MODES.contains(mode.text())) {
      throw mode.wrong(quote(mode.text()) + " is not a valid mode; write Never or IfAvailable");
    }
    if (mode.text().equals("Always")) {
      throw mode.wrong(
          "the program needs a terminal, and there is none; write Never or IfAvailable");
    }
  }

  /** A path is relative to the kubeconfig; a plain name is looked up in the PATH. */
  private String resolved(String program) {
    return program.indexOf('/') >= 0
        ? file.resolveSibling(program).normalize().toString()
        : program;
  }

  private static Map<String, String> environment(Field exec, String version, ClusterEntry cluster) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (Field variable : exec.at("env").items()) {
      environment.put(variable.at("name").text(), variable.at("value").text(""));
    }
    Map<String, Object> spec = new LinkedHashMap<>();
    if (Boolean.TRUE.equals(exec.at("provideClusterInfo").truth())) {
      spec.put("cluster", cluster.tree());
    }
    spec.put("interactive", false);
    Map<String, Object> credential = new LinkedHashMap<>();
    credential.put("kind", "ExecCredential");
    credential.put("apiVersion", version);
    credential.put("spec", spec);
    environment.put("KUBERNETES_EXEC_INFO", Json.line(credential));
    return environment;
  }

  /** Headers that impersonate another user. */
  List<Map.Entry<String, String>> impersonation() {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    add(headers, "Impersonate-User", entry.at("as"));
    add(headers, "Impersonate-Uid", entry.at("as-uid"));
    entry.at("as-groups").items().forEach(group -> add(headers, "Impersonate-Group", group));
    if (headers.size() > 0 && !entry.at("as").isPresent()) {
      throw entry.at("as").wrong("missing; as-uid and as-groups need a user name too");
    }
    return headers;
  }

  private static void add(List<Map.Entry<String, String>> headers, String name, Field value) {
    if (!value.text("").isEmpty()) {
      if (value.text().chars().anyMatch(c -> c < ' ' || c > '~')) {
        throw value.wrong("contains a character that is not valid in a header; remove it");
      }
      headers.add(Map.entry(name, value.text()));
    }
  }
}

package dev.portolan.apiserver;

import dev.portolan.text.Field;
import dev.portolan.tls.Pem;
import java.net.URI;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A cluster in a kubeconfig. */
final class ClusterEntry {
  private static final String PLUGIN_EXTENSION = "client.authentication.k8s.io/exec";

  private final Field entry;
  private final Path file;

  ClusterEntry(Field entry, Path file) {
    this.entry = entry;
    this.file = file;
  }

  /** Where the server is. */
  URI server(boolean mentionsTls) {
    Field server = entry.at("server");
    if (server.text("").isEmpty()) {
      throw server.wrong("missing; write the server's address, such as https://10.0.0.1:6443");
    }
    try {
      return ApiAccess.address(server.text(), mentionsTls);
    } catch (ApiException e) {
      throw server.wrong(String.valueOf(e.getMessage()));
    }
  }

  /** How the server is trusted. */
  Trust trust() {
    boolean insecure = Boolean.TRUE.equals(entry.at("insecure-skip-tls-verify").truth());
    Optional<EntryData> authority = EntryData.of(entry, "certificate-authority", file);
    if (insecure && authority.isPresent()) {
      throw entry
          .at("insecure-skip-tls-verify")
          .wrong("certificate-authority is set too, and would be ignored; remove one of them");
    }
    return new Trust(
        authority.map(data -> data.checked(Pem::certificates)), insecure, serverName());
  }

  private Optional<String> serverName() {
    return Optional.of(entry.at("tls-server-name").text("")).filter(name -> !name.isEmpty());
  }

  /** The proxy before the server. */
  Optional<URI> proxy() {
    Field proxy = entry.at("proxy-url");
    if (proxy.text("").isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(HttpProxy.parse(proxy.text()));
    } catch (ApiException e) {
      throw proxy.wrong(String.valueOf(e.getMessage()));
    }
  }

  /** The cluster as a tree of JSON, for a program that makes credentials. */
  Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("server", entry.at("server").text());
    serverName().ifPresent(name -> tree.put("tls-server-name", name));
    if (trust().isInsecure()) {
      tree.put("insecure-skip-tls-verify", true);
    }
    trust()
        .authority()
        .map(ClusterEntry::base64)
        .ifPresent(data -> tree.put("certificate-authority-data", data));
    proxy().ifPresent(proxy -> tree.put("proxy-url", proxy.toString()));
    entry.at("extensions").items().stream()
        .filter(item -> item.at("name").text("").equals(PLUGIN_EXTENSION))
        .findFirst()
        .flatMap(item -> item.at("extension").tree())
        .ifPresent(config -> tree.put("config", config));
    return tree;
  }

  private static String base64(Material authority) {
    try {
      return Base64.getEncoder().encodeToString(authority.content());
    } catch (ApiException e) {
      throw new IllegalStateException("read before", e);
    }
  }
}

package dev.portolan.doctor;

import dev.portolan.apiserver.ApiAccess;
import dev.portolan.apiserver.ApiException;
import dev.portolan.apiserver.ApiResponse;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.apiserver.ClientLimits;
import dev.portolan.core.text.Json;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the API server can be reached, step by step, and lets us read what we need. */
final class ApiChecks {
  private static final String REACH = "api.reach";
  private static final String ACCESS = "api.authorization";
  private static final ClientLimits LIMITS = new ClientLimits(50, 100, "portolan-doctor");
  private static final int TIMEOUT = (int) Duration.ofSeconds(10).toMillis();
  private static final int LARGEST = 1 << 20;
  private static final Duration TOLERATED = Duration.ofSeconds(10);
  private static final Duration INTOLERABLE = Duration.ofMinutes(5);
  private static final int UNAUTHORIZED = 401;
  private static final int CREATED = 201;
  private static final int OK = 200;

  /** What a proxy reads; without the last one it works all the same. */
  private static final List<Wanted> WANTED =
      List.of(
          new Wanted("", "services", true),
          new Wanted("discovery.k8s.io", "endpointslices", true),
          new Wanted("", "nodes", true),
          new Wanted("networking.k8s.io", "servicecidrs", false));

  private final List<CheckResult> results = new ArrayList<>();

  private ApiChecks() {}

  /** A resource that is listed and watched. */
  private record Wanted(String group, String resource, boolean needed) {
    String path() {
      return (group.isEmpty() ? "/api/v1/" : "/apis/" + group + "/v1/") + resource + "?limit=1";
    }
  }

  static List<CheckResult> run(Subject subject) {
    ApiChecks checks = new ApiChecks();
    try {
      checks.check(subject.access().find());
    } catch (ApiException e) {
      checks.results.add(
          CheckResult.unknown(
              REACH,
              "there is no way to the API server: " + e.getMessage(),
              "give --kubeconfig FILE, or --config with clientConnection.kubeconfig"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return checks.results;
  }

  private void check(ApiAccess access) throws InterruptedException {
    try {
      access
          .certificates()
          .forEach((use, certificate) ->
              results.add(new CertificateCheck(use, certificate).at(Instant.now())));
    } catch (ApiException e) {
      results.add(
          CheckResult.fail(
              "certificate.client", String.valueOf(e.getMessage()), "correct the kubeconfig"));
    }
    try (ApiServer server = ApiServer.connect(access, LIMITS)) {
      if (isConnectable(access)) {
        ask(server);
      }
    } catch (ApiException e) {
      results.add(
          CheckResult.fail(
              REACH,
              String.valueOf(e.getMessage()),
              "the address answers, but not as an API server with these credentials should"));
    } catch (IOException | TextException e) {
      results.add(
          CheckResult.fail(
              REACH,
              access.server() + ": the answer cannot be read: " + e.getMessage(),
              "is this an API server?"));
    }
  }

  /**
   * Looks the name up and connects, so that failures of these two can be distinguished from later
   * ones. Behind a proxy it is the proxy that is looked up: only that one has to know the server.
   */
  private boolean isConnectable(ApiAccess access) throws ApiException {
    Optional<URI> proxy = access.proxy();
    URI first = proxy.orElse(access.server());
    int port =
        first.getPort() >= 0
            ? first.getPort()
            : first.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    String host = first.getHost().replaceAll("[\\[\\]]", "");
    InetAddress address;
    try {
      address = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      results.add(
          CheckResult.fail(
              REACH,
              "DNS: the name "
                  + host
                  + (proxy.isPresent() ? ", of the proxy before the API server," : "")
                  + " is unknown on this node",
              proxy.isPresent()
                  ? "check /etc/resolv.conf, or proxy-url in the kubeconfig, or HTTPS_PROXY"
                  : "check /etc/resolv.conf, or use the server's IP: a node cannot use a cluster's"
                      + " DNS before its proxy works"));
      return false;
    }
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), TIMEOUT);
      return true;
    } catch (IOException e) {
      results.add(
          CheckResult.fail(
              REACH,
              "TCP: no connection to "
                  + (proxy.isPresent() ? "the proxy before the API server, " : "")
                  + address.getHostAddress()
                  + " port "
                  + port
                  + ": "
                  + e.getMessage(),
              "check that the "
                  + (proxy.isPresent() ? "proxy" : "API server")
                  + " runs, the address, and firewalls in between"));
      return false;
    }
  }

  private void ask(ApiServer server) throws IOException, InterruptedException {
    try (ApiResponse version = server.get("/version", "application/json")) {
      Instant now = Instant.now();
      version
          .certificate()
          .ifPresent(shown -> results.add(new CertificateCheck("server", shown).at(now)));
      version.headers().firstValue("Date").ifPresent(date -> results.add(clock(date, now)));
      byte[] body = version.body().readNBytes(LARGEST);
      if (version.status() == UNAUTHORIZED) {
        results.add(
            CheckResult.fail(
                REACH,
                server.address() + " does not accept these credentials (401)",
                "renew the token or the client certificate in the kubeconfig"));
        return;
      }
      String said =
          version.status() == OK
              ? Field.parse("/version", "version", body).at("gitVersion").text("")
              : "status " + version.status();
      results.add(CheckResult.ok(REACH, server.address() + " answers: " + said));
    }
    for (Wanted wanted : WANTED) {
      authorization(server, wanted).ifPresent(results::add);
    }
    if (results.stream().noneMatch(result -> result.id().startsWith(ACCESS))) {
      results.add(
          CheckResult.ok(ACCESS, "Services, EndpointSlices and Nodes may be listed and watched"));
    }
  }

  /** Compares the server's word on the time with ours. */
  static CheckResult clock(String date, Instant now) {
    String id = "clock.skew";
    Instant there;
    try {
      there = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException e) {
      return CheckResult.unknown(id, "the API server says '" + date + "'", "compare the clocks");
    }
    Duration skew = Duration.between(there, now);
    String finding =
        "this machine's clock is "
            + skew.abs().toSeconds()
            + " s "
            + (skew.isNegative() ? "behind" : "ahead of")
            + " the API server's";
    String remedy = "synchronise both with NTP: certificates and tokens are valid by the clock";
    if (skew.abs().compareTo(INTOLERABLE) > 0) {
      return CheckResult.fail(id, finding, remedy);
    }
    return skew.abs().compareTo(TOLERATED) > 0
        ? CheckResult.warn(id, finding, remedy)
        : CheckResult.ok(id, "the clock agrees with the API server's within seconds");
  }

  private static Optional<CheckResult> authorization(ApiServer server, Wanted wanted)
      throws IOException, InterruptedException {
    List<String> refused = new ArrayList<>();
    for (String verb : List.of("list", "watch")) {
      Optional<Boolean> allowed = review(server, wanted, verb);
      if (allowed.isEmpty()) {
        return listed(server, wanted);
      }
      if (!allowed.get()) {
        refused.add(verb);
      }
    }
    return refused.isEmpty() ? Optional.empty() : Optional.of(refused(wanted, refused));
  }

  /** Whether the server would allow it; nothing where it does not answer such questions. */
  private static Optional<Boolean> review(ApiServer server, Wanted wanted, String verb)
      throws IOException, InterruptedException {
    Map<String, Object> attributes =
        Map.of("verb", verb, "group", wanted.group, "resource", wanted.resource);
    String question =
        Json.line(
            Map.of(
                "apiVersion",
                "authorization.k8s.io/v1",
                "kind",
                "SelfSubjectAccessReview",
                "spec",
                Map.of("resourceAttributes", attributes)));
    try (ApiResponse answer =
        server.post(
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            "application/json",
            question.getBytes(StandardCharsets.UTF_8))) {
      byte[] body = answer.body().readNBytes(LARGEST);
      return answer.status() == CREATED
          ? Optional.of(
              Boolean.TRUE.equals(
                  Field.parse("the review", "SelfSubjectAccessReview", body)
                      .at("status")
                      .at("allowed")
                      .truth()))
          : Optional.empty();
    }
  }

  private static Optional<CheckResult> listed(ApiServer server, Wanted wanted)
      throws IOException, InterruptedException {
    try (ApiResponse answer = server.get(wanted.path(), "application/json")) {
      return answer.status() == OK
          ? Optional.empty()
          : Optional.of(refused(wanted, List.of("list")));
    }
  }

  private static CheckResult refused(Wanted wanted, List<String> verbs) {
    String id = ACCESS + "." + wanted.resource;
    String finding = "not allowed to " + String.join(" and ", verbs) + " " + wanted.resource;
    return wanted.needed
        ? CheckResult.fail(id, finding, "bind this user to the ClusterRole system:node-proxier")
        : CheckResult.warn(
            id,
            finding + "; unused cluster IPs are then not dropped",
            "bind this user to a ClusterRole that allows it");
  }
}

package dev.portolan.status;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.text.Json;
import dev.portolan.telemetry.http.BindAddress;
import dev.portolan.telemetry.http.HttpPort;
import dev.portolan.telemetry.http.PortUnavailableException;
import dev.portolan.telemetry.http.Request;
import dev.portolan.telemetry.http.Response;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The health-check nodePort of one service, on every address where it is served. */
final class ServiceCheck {
  private final NamespacedName service;
  private final int port;
  private final BooleanSupplier proxyHealthy;
  private final Map<BindAddress, HttpPort> open = new HashMap<>();
  private volatile int endpoints;

  /** A check that is not open anywhere. */
  ServiceCheck(NamespacedName service, int port, BooleanSupplier proxyHealthy) {
    this.service = service;
    this.port = port;
    this.proxyHealthy = proxyHealthy;
  }

  NamespacedName service() {
    return service;
  }

  int port() {
    return port;
  }

  /** Sets how many endpoints the service has on this node. */
  void endpoints(int count) {
    endpoints = count;
  }

  /**
   * Listens on these addresses, with its own port, and on no other; gives the first failure, and
   * keeps what works.
   */
  Optional<String> listen(Collection<BindAddress> addresses) {
    open.entrySet()
        .removeIf(entry -> {
          boolean unwanted = !addresses.contains(entry.getKey());
          if (unwanted) {
            entry.getValue().close();
          }
          return unwanted;
        });
    Optional<String> failure = Optional.empty();
    for (BindAddress address : addresses) {
      if (!open.containsKey(address)) {
        try {
          open.put(address, HttpPort.open(address.withPort(port), this::answer));
        } catch (PortUnavailableException e) {
          failure = failure.or(() -> Optional.of(address.withPort(port) + ": " + e.getMessage()));
        }
      }
    }
    return failure;
  }

  private Response answer(Request request) {
    if (!request.reads()) {
      return Response.onlyForReading();
    }
    int count = endpoints;
    boolean healthy = proxyHealthy.getAsBoolean();
    String body =
        "{\n\t\"service\": {\n\t\t\"namespace\": "
            + Json.quoted(service.namespace())
            + ",\n\t\t\"name\": "
            + Json.quoted(service.name())
            + "\n\t},\n\t\"localEndpoints\": "
            + count
            + ",\n\t\"serviceProxyHealthy\": "
            + healthy
            + "\n}";
    return Response.json(count > 0 && healthy ? 200 : 503, body)
        .with("X-Load-Balancing-Endpoint-Weight: " + count);
  }

  /** Closes these checks everywhere, all at once. */
  static void closeAll(Collection<ServiceCheck> checks) {
    List<HttpPort> ports = new ArrayList<>();
    for (ServiceCheck check : checks) {
      ports.addAll(check.open.values());
      check.open.clear();
    }
    HttpPort.closeAll(ports);
  }
}

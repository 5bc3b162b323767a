package dev.portolan.server;

import dev.portolan.api.v1.WaitRequest;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.text.Counted;
import dev.portolan.explain.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What should be true of the services of a node. */
sealed interface WaitCondition {
  /** What is not as it should be; empty where it is. */
  Optional<String> unmet(NodeServices services);

  /** What {@code request} asks for; says what is wrong with it. */
  static List<WaitCondition> of(WaitRequest request) {
    List<WaitCondition> conditions = new ArrayList<>();
    for (String text : request.getWithoutList()) {
      if (!(Target.parse(text) instanceof Target.OfAddress endpoint)) {
        throw new IllegalArgumentException(
            "'"
                + text
                + "' is not a valid endpoint; write IP:PORT, as in 10.244.3.9:8080 or"
                + " [fd00::9]:8080, or an IP for all of its ports");
      }
      conditions.add(new Without(endpoint, new EndpointUse(endpoint)));
    }
    if (!request.getService().isEmpty()) {
      if (!(Target.parse(request.getService()) instanceof Target.OfService service)) {
        throw new IllegalArgumentException(
            "'"
                + request.getService()
                + "' is not a valid service; write NAMESPACE/NAME or NAMESPACE/NAME:PORT");
      }
      conditions.add(new Endpoints(service, request.getEndpoints(), request.getOrMore()));
    }
    return conditions;
  }

  /** No traffic is sent to an endpoint. */
  record Without(Target.OfAddress endpoint, EndpointUse use) implements WaitCondition {
    @Override
    public Optional<String> unmet(NodeServices services) {
      return use.in(services).map(port -> port.name() + " uses " + endpoint);
    }
  }

  /** How many endpoints each port of a service has, in each family. */
  record Endpoints(Target.OfService target, int number, boolean orMore) implements WaitCondition {
    @Override
    public Optional<String> unmet(NodeServices services) {
      NodeService service = services.get(target.service());
      List<ServicePort> ports =
          service == null ? List.of() : service.ports().stream().filter(this::isMeant).toList();
      if (ports.isEmpty()) {
        return number == 0 ? Optional.empty() : Optional.of(target + " does not exist");
      }
      for (ServicePort port : ports) {
        long count = endpoints(port).count();
        if (orMore ? count < number : count != number) {
          return Optional.of(port.name() + " has " + Counted.of(count, "endpoint"));
        }
      }
      return Optional.empty();
    }

    private boolean isMeant(ServicePort port) {
      String asked = target.port();
      return (asked.isEmpty()
              || asked.equals(port.name().port())
              || asked.equals(Integer.toString(port.clusterIp().port())))
          && target.protocol().map(port.name().protocol()::equals).orElse(true);
    }

    private static Stream<Endpoint> endpoints(ServicePort port) {
      return Arrays.stream(Traffic.values())
          .flatMap(traffic -> port.endpoints(traffic).stream())
          .distinct();
    }
  }
}

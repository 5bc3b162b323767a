package dev.portolan.backend.windows.hcn;

import dev.portolan.backend.windows.hcn.HcnNetwork.RemoteSubnet;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.text.Json;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/**
 * Networks, endpoints and load balancers as HCN writes them. What is not known is passed over, and
 * what is left out stands for zero or nothing, as HNS itself leaves it out.
 */
final class HcnJson {
  private static final UUID NONE = new UUID(0, 0);
  private static final int REMOTE = 1;

  private HcnJson() {}

  /** A question for everything, or for what matches a filter, which is JSON in a string. */
  static String query(Optional<Map<String, Object>> filter) {
    Map<String, Object> query = new LinkedHashMap<>();
    query.put("SchemaVersion", version(2, 0));
    query.put("Flags", 0);
    filter.ifPresent(wanted -> query.put("Filter", Json.line(wanted)));
    return Json.line(query);
  }

  static String named(String name) {
    return query(Optional.of(Map.of("Name", name)));
  }

  static String ofNetwork(UUID network) {
    return query(Optional.of(Map.of("HostComputeNetwork", network.toString())));
  }

  private static Map<String, Object> version(int major, int minor) {
    Map<String, Object> version = new LinkedHashMap<>();
    version.put("Major", major);
    version.put("Minor", minor);
    return version;
  }

  static HnsVersion version(String answer) {
    return read(
        "version",
        answer,
        field -> {
          if (!Boolean.TRUE.equals(field.at("Success").truth())) {
            throw new HcnException("HNSCall", HcnFailure.FAILED, field.at("Error").text(""));
          }
          Field output = field.at("Output");
          return new HnsVersion(output.at("Major").number(0), output.at("Minor").number(0));
        });
  }

  static List<UUID> ids(String answer) {
    return answer.isEmpty()
        ? List.of()
        : read(
            "identifiers",
            answer,
            field ->
                field.isPresent() ? field.texts().stream().map(HcnJson::id).toList() : List.of());
  }

  static HcnNetwork network(String answer) {
    return read(
        "network",
        answer,
        field -> {
          List<RemoteSubnet> subnets = new ArrayList<>();
          for (Field policy : field.at("Policies").items()) {
            if (policy.at("Type").text("").equalsIgnoreCase("RemoteSubnetRoute")) {
              Field settings = policy.at("Settings");
              Optional<Cidr> destination = Cidr.parse(settings.at("DestinationPrefix").text(""));
              Optional<Ip> provider = Ip.parse(settings.at("ProviderAddress").text(""));
              if (destination.isPresent() && provider.isPresent()) {
                subnets.add(new RemoteSubnet(destination.get(), provider.get()));
              }
            }
          }
          return new HcnNetwork(
              id(field.at("ID").text()),
              field.at("Name").text(""),
              field.at("Type").text(""),
              subnets);
        });
  }

  static HcnEndpoint endpoint(String answer) {
    return read(
        "endpoint",
        answer,
        field ->
            new HcnEndpoint(
                id(field.at("ID").text()),
                field.at("Name").text(""),
                id(field.at("HostComputeNetwork").text(NONE.toString())),
                field.at("IpConfigurations").items().stream()
                    .flatMap(config -> Ip.parse(config.at("IpAddress").text("")).stream())
                    .toList(),
                field.at("MacAddress").text("").replace(':', '-').toUpperCase(Locale.ROOT),
                (field.at("Flags").number(0) & REMOTE) != 0,
                field.at("Policies").items().stream()
                    .filter(
                        policy -> policy.at("Type").text("").equalsIgnoreCase("ProviderAddress"))
                    .flatMap(policy ->
                        Ip.parse(policy.at("Settings").at("ProviderAddress").text("")).stream())
                    .findFirst()));
  }

  static String of(HcnEndpoint endpoint) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (!endpoint.name().isEmpty()) {
      json.put("Name", endpoint.name());
    }
    json.put("HostComputeNetwork", endpoint.network().toString());
    json.put(
        "IpConfigurations",
        endpoint.addresses().stream().map(ip -> Map.of("IpAddress", ip.toString())).toList());
    json.put("MacAddress", endpoint.mac());
    json.put("Flags", endpoint.remote() ? REMOTE : 0);
    endpoint
        .provider()
        .ifPresent(provider ->
            json.put(
                "Policies",
                List.of(
                    policy("ProviderAddress", Map.of("ProviderAddress", provider.toString())))));
    json.put("SchemaVersion", version(2, 0));
    return Json.line(json);
  }

  private static Map<String, Object> policy(String type, Map<String, Object> settings) {
    Map<String, Object> policy = new LinkedHashMap<>();
    policy.put("Type", type);
    policy.put("Settings", settings);
    return policy;
  }

  /** Empty for one without a port, which HNS has while it makes it. */
  static Optional<HcnLoadBalancer> loadBalancer(String answer) {
    return read(
        "load balancer",
        answer,
        field -> {
          List<Field> ports = field.at("PortMappings").items();
          if (ports.isEmpty()) {
            return Optional.empty();
          }
          Field port = ports.getFirst();
          TreeSet<UUID> endpoints = new TreeSet<>();
          field.at("HostComputeEndpoints").texts().forEach(text -> endpoints.add(id(text)));
          return Optional.of(
              new HcnLoadBalancer(
                  id(field.at("ID").text()),
                  endpoints,
                  Ip.parse(field.at("SourceVIP").text("")),
                  field.at("FrontendVIPs").texts().stream()
                      .flatMap(text -> Ip.parse(text).stream())
                      .findFirst(),
                  new PortMapping(
                      port.at("Protocol").number(0),
                      port.at("InternalPort").number(0),
                      port.at("ExternalPort").number(0),
                      port.at("DistributionType").number(0),
                      port.at("Flags").number(0)),
                  field.at("Flags").number(0)));
        });
  }

  static String of(HcnLoadBalancer balancer) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("HostComputeEndpoints", balancer.endpoints().stream().map(UUID::toString).toList());
    balancer.sourceVip().ifPresent(ip -> json.put("SourceVIP", ip.toString()));
    balancer.vip().ifPresent(ip -> json.put("FrontendVIPs", List.of(ip.toString())));
    PortMapping port = balancer.port();
    Map<String, Object> mapping = new LinkedHashMap<>();
    mapping.put("Protocol", port.protocol());
    mapping.put("InternalPort", port.internal());
    mapping.put("ExternalPort", port.external());
    mapping.put("DistributionType", port.distribution());
    mapping.put("Flags", port.flags());
    json.put("PortMappings", List.of(mapping));
    json.put("SchemaVersion", version(2, 0));
    json.put("Flags", balancer.flags());
    return Json.line(json);
  }

  /** HNS writes identifiers in capitals, and now and then in braces. */
  private static UUID id(String text) {
    return UUID.fromString(text.replace("{", "").replace("}", ""));
  }

  private static <T> T read(String what, String answer, Function<Field, T> reading) {
    try {
      return reading.apply(Field.json("the answer of HNS", what, answer));
    } catch (TextException | IllegalArgumentException e) {
      throw new HcnException(
          "HNS answered with a " + what + " that cannot be read: " + e.getMessage(), e);
    }
  }
}

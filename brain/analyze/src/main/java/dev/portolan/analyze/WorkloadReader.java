package dev.portolan.analyze;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Protocol;
import dev.portolan.text.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads the parts of objects that a proxy ignores: Services, Pods, and what makes Pods. It throws a
 * {@link dev.portolan.text.TextException} where an object is not as it must be.
 */
public final class WorkloadReader {
  private static final Set<String> TEMPLATES =
      Set.of(
          "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job");
  private static final SortedMap<String, Protocol> PROTOCOLS = new TreeMap<>();
  private static final List<String> TOPOLOGY_ANNOTATIONS =
      List.of("service.kubernetes.io/topology-mode", "service.kubernetes.io/topology-aware-hints");

  static {
    for (Protocol protocol : Protocol.values()) {
      PROTOCOLS.put(protocol.toString(), protocol);
    }
  }

  private WorkloadReader() {}

  /** What to add to what is known because of {@code object}; nothing if it is of another kind. */
  public static Consumer<Workloads.Builder> read(Field object) {
    String kind = object.at("kind").text("");
    String version = object.at("apiVersion").text("");
    String group = version.substring(0, Math.max(version.indexOf('/'), 0));
    if (CustomResource.canMakePods(group, kind)) {
      CustomResource custom = custom(object, group, kind);
      return known -> known.add(custom);
    }
    // Other groups have kinds of these names, too.
    return version.equals("v1") || TEMPLATES.contains(kind) ? read(object, kind) : known -> {};
  }

  private static CustomResource custom(Field object, String group, String kind) {
    Map<String, String> metadata = texts(object, "metadata");
    Map<String, String> labels = new TreeMap<>(texts(object, "metadata", "labels"));
    labels.putAll(texts(object, "spec", "podMetadata", "labels"));
    return new CustomResource(
        group,
        kind,
        new NamespacedName(
            metadata.getOrDefault("namespace", "default"), metadata.getOrDefault("name", "")),
        labels,
        texts(object, "spec").getOrDefault("serviceName", ""));
  }

  /** The texts at a path; none where there is something else, of which only its operator knows. */
  private static Map<String, String> texts(Field object, String... path) {
    Field here = object;
    for (String key : path) {
      if (!here.isMapping()) {
        return Map.of();
      }
      here = here.at(key);
    }
    return here.textsByName();
  }

  /** The same for an object of a list, which does not say its kind itself. */
  public static Consumer<Workloads.Builder> read(Field object, String kind) {
    return switch (kind) {
      case "Service" -> {
        WholeService service = service(object);
        yield known -> known.add(service);
      }
      case "Pod" -> {
        Pod pod = pod(object);
        yield known -> known.add(pod);
      }
      default -> TEMPLATES.contains(kind) ? template(object, kind) : known -> {};
    };
  }

  private static WholeService service(Field object) {
    Field spec = object.at("spec");
    List<WholeService.Target> targets = new ArrayList<>();
    for (Field port : spec.at("ports").items()) {
      Field target = port.at("targetPort");
      int own = port.at("port").number(0);
      String word = target.isPresent() && !target.isInteger() ? target.text() : "";
      int number = !word.isEmpty() ? 0 : target.number(own);
      // Zero means the port itself, as nothing does.
      targets.add(new WholeService.Target(word, word.isEmpty() && number == 0 ? own : number));
    }
    String distribution = spec.at("trafficDistribution").text("");
    String field = "spec.trafficDistribution";
    Map<String, String> annotations = object.at("metadata").at("annotations").textsByName();
    for (String annotation : TOPOLOGY_ANNOTATIONS) {
      String word = annotations.getOrDefault(annotation, "");
      if (distribution.isEmpty() && word.equalsIgnoreCase("Auto")) {
        distribution = word;
        field = "metadata.annotations[" + annotation + "]";
      }
    }
    return new WholeService(
        name(object),
        spec.at("selector").textsByName(),
        targets,
        distribution,
        field,
        !object.at("status").at("loadBalancer").at("ingress").items().isEmpty());
  }

  private static Pod pod(Field object) {
    Field status = object.at("status");
    String phase = status.at("phase").text("");
    List<String> ips = new ArrayList<>();
    status.at("podIPs").items().forEach(ip -> ips.add(ip.at("ip").text("")));
    if (ips.isEmpty() && status.at("podIP").isPresent()) {
      ips.add(status.at("podIP").text());
    }
    return new Pod(
        "Pod",
        name(object),
        object.at("metadata").at("labels").textsByName(),
        ports(object.at("spec")),
        ips,
        1,
        isReady(status),
        object.at("metadata").at("deletionTimestamp").isPresent(),
        phase.equals("Succeeded") || phase.equals("Failed"));
  }

  private static Consumer<Workloads.Builder> template(Field object, String kind) {
    Field spec = object.at("spec");
    Field template = spec.at("template");
    Pod pod =
        new Pod(
            kind,
            name(object),
            template.at("metadata").at("labels").textsByName(),
            ports(template.at("spec")),
            List.of(),
            spec.at("replicas").number(1),
            false,
            object.at("metadata").at("deletionTimestamp").isPresent(),
            false);
    return known -> known.add(pod);
  }

  private static boolean isReady(Field status) {
    return status.at("conditions").items().stream()
        .anyMatch(condition ->
            condition.at("type").text("").equals("Ready")
                && condition.at("status").text("").equals("True"));
  }

  /** The ports of containers, and of those init containers that go on running beside them. */
  private static List<Pod.Port> ports(Field spec) {
    List<Field> containers = new ArrayList<>(spec.at("containers").items());
    spec.at("initContainers").items().stream()
        .filter(container -> container.at("restartPolicy").text("").equals("Always"))
        .forEach(containers::add);
    List<Pod.Port> ports = new ArrayList<>();
    for (Field container : containers) {
      for (Field port : container.at("ports").items()) {
        ports.add(
            new Pod.Port(
                port.at("name").text(""),
                port.at("protocol").choice(PROTOCOLS, Protocol.TCP),
                port.at("containerPort").number(0)));
      }
    }
    return ports;
  }

  private static NamespacedName name(Field object) {
    Field metadata = object.at("metadata");
    String namespace = metadata.at("namespace").text("");
    return new NamespacedName(
        namespace.isEmpty() ? "default" : namespace, metadata.at("name").text(""));
  }
}

package dev.portolan.api;

import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ObjectPlace;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.fate.Explanation.LeftOut;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.fate.Turn;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Reason;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePortName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Explanations from and to their messages: what is read equals what was written. */
public final class ExplanationMessages {
  private ExplanationMessages() {}

  /**
   * Adds {@code explanations} to {@code reply}.
   *
   * @param places where an object is written, where that is known
   */
  public static void write(
      List<Explanation> explanations,
      Function<ObjectRef, Optional<String>> places,
      ExplainReply.Builder reply) {
    Set<ObjectRef> objects = new LinkedHashSet<>();
    for (Explanation explanation : explanations) {
      reply.addExplanations(write(explanation));
      steps(explanation).flatMap(step -> step.object().stream()).forEach(objects::add);
    }
    for (ObjectRef object : objects) {
      places
          .apply(object)
          .ifPresent(place -> reply.addPlacesBuilder().setObject(write(object)).setPlace(place));
    }
  }

  private static Stream<Step> steps(Explanation explanation) {
    return Stream.concat(
        explanation.steps().stream(), explanation.leftOut().stream().map(LeftOut::source));
  }

  private static dev.portolan.api.v1.Explanation write(Explanation explanation) {
    dev.portolan.api.v1.Explanation.Builder message =
        dev.portolan.api.v1.Explanation.newBuilder()
            .setNode(explanation.node())
            .setSubject(explanation.subject())
            .setClient(explanation.client())
            .setFrom(explanation.from())
            .setVerdict(Decisions.write(explanation.verdict()))
            .setMasquerade(explanation.masquerade());
    explanation
        .destination()
        .ifPresent(to -> {
          message
              .setAddress(to.address().toString())
              .setPort(to.port())
              .setProtocol(KpngFields.protocol(to.protocol()));
          to.kind().ifPresent(kind -> message.setAddressKind(kind.toString()));
        });
    explanation.service().ifPresent(name -> message.setService(write(name)));
    explanation.endpoints().forEach(share -> message.addEndpoints(write(share)));
    explanation.leftOut().forEach(out -> message.addLeftOut(write(out)));
    explanation.steps().forEach(step -> message.addSteps(write(step)));
    return message.build();
  }

  private static dev.portolan.api.v1.ServicePortName write(ServicePortName name) {
    return dev.portolan.api.v1.ServicePortName.newBuilder()
        .setNamespace(name.service().namespace())
        .setName(name.service().name())
        .setPort(name.port())
        .setProtocol(KpngFields.protocol(name.protocol()))
        .build();
  }

  private static dev.portolan.api.v1.Share write(Share share) {
    return dev.portolan.api.v1.Share.newBuilder()
        .setIp(share.endpoint().address().toString())
        .setPort(share.endpoint().port())
        .setNode(share.endpoint().node())
        .setTarget(share.target())
        .setShare(share.share())
        .setMasquerade(share.masquerade())
        .setReason(write(share.reason()))
        .build();
  }

  private static dev.portolan.api.v1.LeftOut write(LeftOut out) {
    return dev.portolan.api.v1.LeftOut.newBuilder()
        .setAddress(out.label())
        .setIp(out.address())
        .setPort(out.port())
        .setReason(write(out.reason()))
        .setSource(write(out.source()))
        .build();
  }

  private static dev.portolan.api.v1.Step write(Step step) {
    dev.portolan.api.v1.Step.Builder message =
        dev.portolan.api.v1.Step.newBuilder()
            .setText(step.text())
            .setField(step.field())
            .setTurn(step.turn());
    step.object().ifPresent(object -> message.setObject(write(object)));
    return message.build();
  }

  private static dev.portolan.api.v1.ObjectRef write(ObjectRef object) {
    return dev.portolan.api.v1.ObjectRef.newBuilder()
        .setKind(object.kind())
        .setName(object.name())
        .build();
  }

  private static dev.portolan.api.v1.Reason write(Reason reason) {
    return dev.portolan.api.v1.Reason.valueOf(reason.name());
  }

  /** The explanations in {@code reply}; there is at least one. */
  public static List<Explanation> explanations(ExplainReply reply) throws WireException {
    FieldPath place = FieldPath.message("ExplainReply", "");
    List<Explanation> explanations = new ArrayList<>();
    for (int i = 0; i < reply.getExplanationsCount(); i++) {
      explanations.add(read(reply.getExplanations(i), place.element("explanations", i)));
    }
    if (explanations.isEmpty()) {
      throw place.wrong("explanations", "missing");
    }
    return explanations;
  }

  /** Where objects are written, as far as {@code reply} says. */
  public static Map<ObjectRef, String> places(ExplainReply reply) {
    Map<ObjectRef, String> places = new LinkedHashMap<>();
    for (ObjectPlace place : reply.getPlacesList()) {
      places.put(read(place.getObject()), place.getPlace());
    }
    return places;
  }

  private static Explanation read(dev.portolan.api.v1.Explanation message, FieldPath place)
      throws WireException {
    List<Share> endpoints = new ArrayList<>();
    for (int i = 0; i < message.getEndpointsCount(); i++) {
      endpoints.add(read(message.getEndpoints(i), place.element("endpoints", i)));
    }
    List<LeftOut> leftOut = new ArrayList<>();
    for (int i = 0; i < message.getLeftOutCount(); i++) {
      leftOut.add(read(message.getLeftOut(i), place.element("left_out", i)));
    }
    return new Explanation(
        message.getNode(),
        message.getSubject(),
        destination(message, place),
        message.getClient(),
        message.getFrom(),
        message.hasService() ? Optional.of(read(message.getService(), place)) : Optional.empty(),
        Decisions.verdict("verdict", message.getVerdict(), place),
        endpoints,
        message.getMasquerade(),
        leftOut,
        message.getStepsList().stream().map(ExplanationMessages::read).toList());
  }

  private static Optional<Destination> destination(
      dev.portolan.api.v1.Explanation message, FieldPath place) throws WireException {
    if (message.getAddress().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Destination(
            place.ip("address", message.getAddress()),
            message.getPort(),
            place.protocol(message.getProtocol()),
            Arrays.stream(ServiceAddress.Kind.values())
                .filter(kind -> kind.toString().equals(message.getAddressKind()))
                .findFirst()));
  }

  private static ServicePortName read(dev.portolan.api.v1.ServicePortName message, FieldPath place)
      throws WireException {
    return new ServicePortName(
        place.labels(message.getNamespace(), message.getName()),
        place.portName(message.getPort()),
        place.protocol(message.getProtocol()));
  }

  private static Share read(dev.portolan.api.v1.Share message, FieldPath place)
      throws WireException {
    return new Share(
        new Endpoint(
            place.ip("ip", message.getIp()),
            place.port("port", message.getPort()),
            message.getNode()),
        message.getShare(),
        message.getMasquerade(),
        read(message.getReason(), place),
        message.getTarget());
  }

  private static LeftOut read(dev.portolan.api.v1.LeftOut message, FieldPath place)
      throws WireException {
    return new LeftOut(
        message.getIp().isEmpty() ? message.getAddress() : message.getIp(),
        message.getPort(),
        read(message.getReason(), place),
        read(message.getSource()));
  }

  private static Step read(dev.portolan.api.v1.Step message) {
    Step step =
        new Step(
            message.getText(),
            message.hasObject() ? Optional.of(read(message.getObject())) : Optional.empty(),
            message.getField(),
            message.getTurn());
    // Older servers name no turns, and this one has consequences for a trace.
    return step.turn().isEmpty() && step.field().equals("spec.sessionAffinity")
        ? step.about(new Turn.Kept(Turn.Kept.Keeper.RULES))
        : step;
  }

  private static ObjectRef read(dev.portolan.api.v1.ObjectRef message) {
    return new ObjectRef(message.getKind(), message.getName());
  }

  private static Reason read(dev.portolan.api.v1.Reason reason, FieldPath place)
      throws WireException {
    for (Reason known : Reason.values()) {
      if (known.name().equals(reason.name())) {
        return known;
      }
    }
    throw place.wrong("reason", "a reason that only a newer server knows");
  }
}

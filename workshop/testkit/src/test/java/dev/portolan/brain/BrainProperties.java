package dev.portolan.brain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.explain.Explainer;
import dev.portolan.explain.Target;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * What must hold for every cluster and every order of events. (It looks into the brain, hence its
 * package; random clusters are made by the testkit, hence its module.)
 */
class BrainProperties {
  private static Brain brain() {
    return new Brain(warning -> {});
  }

  private static List<ClusterDelta> events(List<Long> seeds) {
    return seeds.stream().map(RandomCluster::event).toList();
  }

  private static List<NodeView> openAll(Brain brain) {
    List<NodeView> views = new ArrayList<>();
    for (String node : RandomCluster.NODES) {
      views.add(brain.open(node, NodeSettings.DEFAULT));
    }
    views.add(brain.open("stranger", NodeSettings.DEFAULT));
    return views;
  }

  private static void assertSame(NodeImage actual, NodeImage expected) {
    assertThat(actual.facts()).isEqualTo(expected.facts());
    assertThat(actual.services().flat()).isEqualTo(expected.services().flat());
    assertThat(actual.sameAs(expected)).isTrue();
  }

  @Property
  void incrementalEqualsRebuiltFromScratch(@ForAll(min = 1, max = 60) List<Long> seeds) {
    Brain incremental = brain();
    List<NodeView> views = openAll(incremental);
    for (ClusterDelta event : events(seeds)) {
      incremental.apply(event);
      Brain rebuilt = brain();
      rebuilt.apply(incremental.cluster());
      for (NodeView view : views) {
        assertSame(view.image(), rebuilt.open(view.node(), NodeSettings.DEFAULT).image());
      }
    }
  }

  @Property
  void anyOrderOfTheSameEventsGivesTheSameImage(
      @ForAll(min = 1, max = 60) List<Long> seeds, @ForAll long shuffle) {
    ClusterImage goal = ClusterImage.EMPTY;
    for (ClusterDelta event : events(seeds)) {
      goal = event.applyTo(goal);
    }
    List<ClusterDelta> single = new ArrayList<>();
    ClusterDelta all = ClusterDelta.between(ClusterImage.EMPTY, goal);
    all.services()
        .forEach((name, object) -> single.add(ClusterDelta.builder().set(object.get()).build()));
    all.slices()
        .forEach((name, object) -> single.add(ClusterDelta.builder().set(object.get()).build()));
    all.nodes()
        .forEach((name, object) -> single.add(ClusterDelta.builder().set(object.get()).build()));
    all.serviceCidrs()
        .forEach((name, object) -> single.add(ClusterDelta.builder().set(object.get()).build()));
    single.add(ClusterDelta.EMPTY);
    Brain inOrder = brain();
    inOrder.apply(all);
    Collections.shuffle(single, new Random(shuffle));
    Brain shuffled = brain();
    List<NodeView> views = openAll(shuffled);
    single.forEach(shuffled::apply);
    for (NodeView view : views) {
      assertSame(view.image(), inOrder.open(view.node(), NodeSettings.DEFAULT).image());
    }
  }

  @Property
  void aChangeLeadsFromAnyImageToAnyLaterOne(@ForAll(min = 1, max = 40) List<Long> seeds) {
    Brain brain = brain();
    List<NodeView> views = openAll(brain);
    Map<String, List<NodeImage>> history = new HashMap<>();
    for (ClusterDelta event : events(seeds)) {
      brain.apply(event);
      views.forEach(
          view -> history.computeIfAbsent(view.node(), key -> new ArrayList<>()).add(view.image()));
    }
    for (List<NodeImage> images : history.values()) {
      NodeImage last = images.getLast();
      for (NodeImage image : images) {
        NodeChange change = NodeChange.between(image, last);
        PersistentMap<NamespacedName, NodeService> services = image.services().flat();
        for (ServiceChange service : change.services()) {
          assertThat(service.before()).isEqualTo(image.service(service.name()));
          services = services.put(service.name(), service.after());
        }
        assertThat(NodeServices.of(services)).isEqualTo(last.services());
        assertThat(NodeServices.of(services)).hasSameHashCodeAs(last.services());
        assertThat(change.isEmpty()).isEqualTo(image.sameAs(last));
      }
    }
  }

  @Property
  void aRevisionAppearsExactlyWhenTheResultOfThatNodeChanged(
      @ForAll(min = 1, max = 60) List<Long> seeds) {
    Brain brain = brain();
    List<NodeView> views = openAll(brain);
    Map<String, Integer> calls = new HashMap<>();
    views.forEach(view -> view.onChange(() -> calls.merge(view.node(), 1, Integer::sum)));
    brain.apply(ClusterDelta.EMPTY);
    views.forEach(view -> assertThat(view.image().revision()).isEqualTo(1));
    for (ClusterDelta event : events(seeds)) {
      List<NodeImage> before = views.stream().map(NodeView::image).toList();
      brain.apply(event);
      for (int i = 0; i < views.size(); i++) {
        NodeImage image = views.get(i).image();
        boolean same =
            image.facts().equals(before.get(i).facts())
                && image.services().flat().equals(before.get(i).services().flat());
        assertThat(image.revision()).isEqualTo(before.get(i).revision() + (same ? 0 : 1));
        assertThat(calls.get(views.get(i).node())).isEqualTo((int) image.revision());
      }
      List<Long> revisions = views.stream().map(view -> view.image().revision()).toList();
      brain.apply(event);
      brain.apply(ClusterDelta.EMPTY);
      assertThat(views.stream().map(view -> view.image().revision()).toList()).isEqualTo(revisions);
    }
  }

  @Property
  void theChoiceIsTheOneOfTheSpecification(@ForAll(min = 1, max = 60) List<Long> seeds) {
    Brain brain = brain();
    List<NodeView> views = openAll(brain);
    events(seeds).forEach(brain::apply);
    for (NodeView view : views) {
      for (NodeService service : view.image().services()) {
        ServicePlan plan = brain.decision().plans().get(service.name());
        for (int i = 0; i < service.ports().size(); i++) {
          ServicePort port = service.ports().get(i);
          Specification expected =
              Specification.of(
                  plan.ports().get(i).frontend(),
                  plan.ports().get(i).candidates(),
                  view.node(),
                  view.image().facts().zone());
          assertThat(port.cluster()).isEqualTo(expected.cluster());
          assertThat(port.local()).isEqualTo(expected.local());
          assertThat(port.verdict(Traffic.INTERNAL)).isEqualTo(expected.internal());
          assertThat(port.verdict(Traffic.EXTERNAL)).isEqualTo(expected.external());
          assertThat(port.verdict(Traffic.SHORT_CIRCUIT)).isEqualTo(expected.shortCircuit());
        }
      }
    }
  }

  @Property
  void aSelectionIsNeverEmptyWhileAFallbackExists(@ForAll(min = 1, max = 60) List<Long> seeds) {
    Brain brain = brain();
    List<NodeView> views = openAll(brain);
    events(seeds).forEach(brain::apply);
    for (NodeView view : views) {
      for (NodeService service : view.image().services()) {
        List<ServicePlan.PortPlan> plans = brain.decision().plans().get(service.name()).ports();
        for (int i = 0; i < plans.size(); i++) {
          ServicePort port = service.ports().get(i);
          List<EndpointCandidate> usable =
              plans.get(i).candidates().stream()
                  .filter(candidate -> candidate.ready() || candidate.servingWhileTerminating())
                  .toList();
          boolean here =
              usable.stream()
                  .anyMatch(candidate -> candidate.endpoint().node().equals(view.node()));
          if (port.routes().use(Pool.CLUSTER)) {
            assertThat(port.cluster().isEmpty()).isEqualTo(usable.isEmpty());
          }
          if (port.routes().use(Pool.LOCAL)) {
            assertThat(port.local().isEmpty()).isEqualTo(!here);
          }
        }
      }
    }
  }

  @Property
  void explanationsAgreeWithTheDecision(@ForAll(min = 1, max = 40) List<Long> seeds) {
    Brain brain = brain();
    List<NodeView> views = openAll(brain);
    events(seeds).forEach(brain::apply);
    for (NodeView view : views) {
      Explainer explainer = new Explainer(view.decision());
      for (NodeService service : view.image().services()) {
        for (ServicePort port : service.ports()) {
          Target target =
              new Target.OfAddress(
                  port.clusterIp().address(),
                  port.clusterIp().port(),
                  Optional.of(port.name().protocol()));
          Explanation explanation = explainer.explain(target, Optional.empty()).getFirst();
          assertThat(explanation.service()).contains(port.name());
          assertThat(explanation.verdict()).isEqualTo(port.verdict(Traffic.INTERNAL));
          assertThat(explanation.endpoints().stream().map(Explanation.Share::endpoint).toList())
              .isEqualTo(port.endpoints(Traffic.INTERNAL));
        }
      }
    }
  }

  @Property
  void everyImageFollowsFromTheDecisionThatIsPublishedWithIt(
      @ForAll(min = 1, max = 40) List<Long> seeds) {
    Brain brain = brain();
    List<NodeView> views = openAll(brain);
    List<NodeDecision> published = new ArrayList<>();
    for (ClusterDelta event : events(seeds)) {
      brain.apply(event);
      views.forEach(view -> published.add(view.decision()));
    }
    for (NodeDecision decision : published) {
      NodeFacts facts = decision.image().facts();
      Map<NamespacedName, NodeService> services = new TreeMap<>();
      decision
          .cluster()
          .plans()
          .forEach((name, plan) -> {
            NodeService seen = plan.at(facts.name(), facts.zone());
            if (seen != null) {
              services.put(name, seen);
            }
          });
      Map<NamespacedName, NodeService> shown = new TreeMap<>();
      decision.image().services().forEach(service -> shown.put(service.name(), service));
      assertThat(shown).isEqualTo(services);
    }
  }

  @Property
  void viewsMayComeAndGo(@ForAll(min = 1, max = 40) List<Long> seeds, @ForAll long choice) {
    Random random = new Random(choice);
    Brain brain = brain();
    List<NodeView> views = new ArrayList<>(openAll(brain));
    for (ClusterDelta event : events(seeds)) {
      brain.apply(event);
      if (random.nextBoolean() && !views.isEmpty()) {
        views.remove(random.nextInt(views.size())).close();
      } else {
        views.add(brain.open(RandomCluster.NODES.get(random.nextInt(4)), NodeSettings.DEFAULT));
      }
    }
    Brain rebuilt = brain();
    rebuilt.apply(brain.cluster());
    for (NodeView view : views) {
      assertSame(view.image(), rebuilt.open(view.node(), NodeSettings.DEFAULT).image());
    }
  }
}

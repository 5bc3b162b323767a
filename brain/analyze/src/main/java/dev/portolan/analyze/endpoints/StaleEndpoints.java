package dev.portolan.analyze.endpoints;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.KnownMistake.Need;
import dev.portolan.analyze.Pod;
import dev.portolan.analyze.Survey;
import dev.portolan.analyze.WholeService;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.text.Counted;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Slices that are behind the Pods, and endpoints on nodes that are gone. */
public final class StaleEndpoints implements Check {
  private static final String POD = "Pod ";

  private static final KnownMistake NO_POD =
      KnownMistake.warning("P0113", "an endpoint's Pod does not exist, or has another address")
          .seen("a part of the connections times out, or reaches another Pod")
          .remedy(
              "restart kube-controller-manager if this lasts; delete slices that were written by"
                  + " hand")
          .needing(Need.PODS)
          .because(
              """
              The endpoint says which Pod it is (targetRef), but there is no such Pod, or it has \
              finished, or it has another address. Connections to the old address time out, or, \
              worse, reach the Pod that got the address since then.

              The EndpointSlice controller usually follows within a second, and the slices and the \
              Pods are not read at the very same moment: run the command again. If the finding \
              stays, the controller does not work, or the slice is not its own. Looked for only where \
              an API server listed the Pods.\
              """);

  private static final KnownMistake LEFT_OUT =
      KnownMistake.warning("P0114", "ready Pods that no EndpointSlice has")
          .seen("these Pods get no traffic")
          .remedy("see whether kube-controller-manager runs and may write EndpointSlices")
          .needing(Need.PODS)
          .because(
              """
              Pods match the selector, are ready and have an address, but are in no EndpointSlice of \
              the service. The EndpointSlice controller usually adds them within a second: run the \
              command again. If the finding stays, the controller does not run, is overloaded, or is \
              not allowed to write slices. Looked for only where an API server listed the Pods.\
              """);

  private static final KnownMistake NO_NODE =
      KnownMistake.warning("P0115", "an endpoint is on a node that does not exist")
          .seen("a part of the connections times out")
          .remedy("delete the Pods of the node that is gone: kubectl delete pod --force")
          .because(
              """
              The endpoint's nodeName is not the name of any Node, so the machine was removed while \
              its Pods stayed in the API. Until they are deleted their endpoints may still count \
              as ready, and connections to them time out. The Pod garbage collector does that after \
              some time, in a cluster that has one.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(NO_POD, LEFT_OUT, NO_NODE);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    boolean nodesKnown = !survey.nodes().isEmpty();
    survey
        .cluster()
        .slices()
        .forEach((name, slice) -> {
          for (int i = 0; i < slice.members().size(); i++) {
            if (survey.workloads().isComplete()) {
              lookForPod(survey, slice, i, findings);
            }
            if (nodesKnown) {
              lookForNode(survey, slice, i, findings);
            }
          }
        });
    if (survey.workloads().isComplete()) {
      survey
          .cluster()
          .services()
          .forEach((name, service) ->
              survey
                  .workloads()
                  .service(name)
                  .filter(WholeService::hasSelector)
                  .ifPresent(whole -> lookForReady(survey, whole, findings)));
    }
  }

  private static void lookForPod(
      Survey survey, EndpointSlice slice, int index, Consumer<ClusterFinding> findings) {
    Member member = slice.members().get(index);
    if (!member.target().startsWith(POD)) {
      return;
    }
    String named = member.target().substring(POD.length());
    int slash = named.indexOf('/');
    NamespacedName name =
        new NamespacedName(
            slash < 0 ? slice.name().namespace() : named.substring(0, slash),
            named.substring(slash + 1));
    Pod pod = survey.workloads().pods().pod(name);
    String address = member.addresses().isEmpty() ? "" : member.addresses().getFirst();
    String wrong =
        pod == null
            ? "which does not exist"
            : pod.finished()
                ? "which has finished"
                : pod.ips().isEmpty() || pod.ips().contains(address)
                    ? ""
                    : "which has the address " + pod.ips().getFirst();
    if (!wrong.isEmpty()) {
      findings.accept(
          NO_POD.in(
              slice.ref(), "endpoints[" + index + "]", address + " is Pod " + name + ", " + wrong));
    }
  }

  private static void lookForNode(
      Survey survey, EndpointSlice slice, int index, Consumer<ClusterFinding> findings) {
    Member member = slice.members().get(index);
    if (!member.node().isEmpty() && !survey.cluster().nodes().containsKey(member.node())) {
      findings.accept(
          NO_NODE.in(
              slice.ref(),
              "endpoints[" + index + "].nodeName",
              (member.addresses().isEmpty() ? "an endpoint" : member.addresses().getFirst())
                  + " is on "
                  + member.node()
                  + ", and there is no such Node"));
    }
  }

  private static void lookForReady(
      Survey survey, WholeService whole, Consumer<ClusterFinding> findings) {
    List<Pod> ready =
        survey.workloads().pods().matching(whole.name().namespace(), whole.selector()).stream()
            .filter(pod -> pod.isReal() && pod.ready() && !pod.leaving() && !pod.ips().isEmpty())
            .toList();
    if (ready.isEmpty()) {
      return;
    }
    Set<String> there = new HashSet<>();
    for (EndpointSlice slice : survey.slices(whole.name())) {
      slice.members().forEach(member -> there.addAll(member.addresses()));
    }
    List<Pod> missing =
        ready.stream().filter(pod -> pod.ips().stream().noneMatch(there::contains)).toList();
    if (!missing.isEmpty()) {
      findings.accept(
          LEFT_OUT.in(
              ObjectRef.service(whole.name()),
              "spec.selector",
              missing.size() == 1
                  ? "the ready Pod " + missing.getFirst().name().name() + " is in no EndpointSlice"
                  : missing.size()
                      + " of "
                      + Counted.of(ready.size(), "ready Pod")
                      + " are in no EndpointSlice ("
                      + missing.getFirst().name().name()
                      + ", …)"));
    }
  }
}

package dev.portolan.analyze;

import dev.portolan.analyze.KnownMistake.Need;
import dev.portolan.analyze.addresses.ClusterIpRanges;
import dev.portolan.analyze.addresses.ExternalAddresses;
import dev.portolan.analyze.addresses.IdleFields;
import dev.portolan.analyze.addresses.NodeFields;
import dev.portolan.analyze.addresses.NodePorts;
import dev.portolan.analyze.addresses.NodeRanges;
import dev.portolan.analyze.endpoints.DuplicateEndpoints;
import dev.portolan.analyze.endpoints.EndpointHealth;
import dev.portolan.analyze.endpoints.MissingEndpoints;
import dev.portolan.analyze.endpoints.StaleEndpoints;
import dev.portolan.analyze.endpoints.StraySlices;
import dev.portolan.analyze.endpoints.TargetPorts;
import dev.portolan.analyze.endpoints.TrafficDistribution;
import dev.portolan.analyze.endpoints.ZoneHints;
import dev.portolan.analyze.policies.AllowedClients;
import dev.portolan.analyze.policies.BrainWarnings;
import dev.portolan.analyze.policies.LoadBalancers;
import dev.portolan.analyze.policies.LocalPolicies;
import dev.portolan.analyze.policies.SessionAffinity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Every check, made on one cluster.
 *
 * @param findings the worst first
 * @param skipped the mistakes that were not looked for, because what they need is not known
 */
public record Analysis(List<ClusterFinding> findings, List<KnownMistake> skipped) {
  private static final List<Check> CHECKS =
      List.of(
          new EndpointHealth(),
          new MissingEndpoints(),
          new StraySlices(),
          new DuplicateEndpoints(),
          new StaleEndpoints(),
          new ExternalAddresses(),
          new ClusterIpRanges(),
          new LoadBalancers(),
          new ZoneHints(),
          new TrafficDistribution(),
          new TargetPorts(),
          new NodePorts(),
          new IdleFields(),
          new LocalPolicies(),
          new SessionAffinity(),
          new AllowedClients(),
          new NodeRanges(),
          new NodeFields(),
          new BrainWarnings());

  public Analysis {
    findings = List.copyOf(findings);
    skipped = List.copyOf(skipped);
  }

  /** Looks for all known mistakes. */
  public static Analysis of(Survey survey) {
    List<ClusterFinding> findings = new ArrayList<>();
    CHECKS.forEach(check -> check.look(survey, findings::add));
    findings.sort(null);
    List<KnownMistake> skipped =
        mistakes().stream().filter(one -> !survey.workloads().knows(one.need())).toList();
    return new Analysis(findings, skipped);
  }

  /** All mistakes that are looked for, in the order of their codes. */
  public static List<KnownMistake> mistakes() {
    return CHECKS.stream()
        .flatMap(check -> check.mistakes().stream())
        .sorted(Comparator.comparing(KnownMistake::code))
        .toList();
  }

  /** The mistakes that were not looked for because {@code need} is not met. */
  public List<KnownMistake> skipped(Need need) {
    return skipped.stream().filter(mistake -> mistake.need() == need).toList();
  }
}

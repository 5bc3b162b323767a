package dev.portolan.brain;

import static java.util.stream.Collectors.toSet;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which families a node serves, given the addresses that it has. */
public enum FamilyPolicy {
  /** Both, whatever addresses there are. */
  BOTH(""),
  SINGLE_STACK("SingleStack"),
  PREFER_DUAL_STACK("PreferDualStack"),
  REQUIRE_DUAL_STACK("RequireDualStack");

  private final String word;

  FamilyPolicy(String word) {
    this.word = word;
  }

  /** The policy as the configuration writes it; the empty word is {@link #BOTH}. */
  public static Optional<FamilyPolicy> parse(String word) {
    return Arrays.stream(values()).filter(policy -> policy.word.equals(word)).findFirst();
  }

  /** The families served by a node with {@code addresses}, the primary one first. */
  public Set<IpFamily> served(List<Ip> addresses) {
    IpFamily primary = addresses.isEmpty() ? IpFamily.IPV4 : addresses.getFirst().family();
    return switch (this) {
      case BOTH -> IpFamily.ALL;
      case SINGLE_STACK -> Set.of(primary);
      case PREFER_DUAL_STACK, REQUIRE_DUAL_STACK ->
          addresses.isEmpty()
              ? Set.of(primary)
              : addresses.stream().map(Ip::family).collect(toSet());
    };
  }

  /** Whether a node with {@code addresses} cannot be as the policy wants it. */
  public boolean isBrokenBy(List<Ip> addresses) {
    return this == REQUIRE_DUAL_STACK && served(addresses).size() < 2;
  }

  /** The policy as the configuration writes it. */
  @Override
  public String toString() {
    return word;
  }
}

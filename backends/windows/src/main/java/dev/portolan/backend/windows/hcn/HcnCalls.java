package dev.portolan.backend.windows.hcn;

import java.util.UUID;

/**
 * The calls of HCN that we need; what they take and return is JSON.
 *
 * <p>Each throws an {@link HcnException} where HNS refuses, or cannot be reached.
 */
public interface HcnCalls {
  /** What HNS keeps, by the name that its functions have for it. */
  enum Kind {
    NETWORK("Network"),
    ENDPOINT("Endpoint"),
    LOAD_BALANCER("LoadBalancer");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The word in the names of functions. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** The version of HNS, as an answer of version 1 of its API. */
  String version();

  /** The identifiers of what is there, as a list. */
  String enumerate(Kind kind, String query);

  /** One of them as HNS has it. */
  String properties(Kind kind, UUID id, String query);

  /**
   * Makes an endpoint, and returns it as HNS has it.
   *
   * @param id the identifier to have; all zero lets HNS choose
   */
  String createEndpoint(UUID network, UUID id, String settings, String query);

  /** Makes a load balancer, and returns it as HNS has it. */
  String createLoadBalancer(UUID id, String settings, String query);

  /** Changes a load balancer in place, and returns it as HNS has it. */
  String modifyLoadBalancer(UUID id, String settings, String query);

  /** Deletes what has this identifier. */
  void delete(Kind kind, UUID id);
}

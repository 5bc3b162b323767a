package dev.portolan.backend.windows.hcn;

/** The version of HNS, and what each is known to have. */
public record HnsVersion(int major, int minor) {
  /** Whether version 2 of the API, which all of this uses, is there. */
  public boolean hasApi() {
    return isAtLeast(9, 2);
  }

  /** Whether overlay networks know the subnets of other nodes. */
  public boolean hasRemoteSubnets() {
    return isAtLeast(9, 2);
  }

  /** Whether endpoints can answer clients themselves; 10.0 and 10.1 lost it for a while. */
  public boolean hasDirectServerReturn() {
    return major == 9 ? minor >= 3 : isAtLeast(10, 2);
  }

  /** Whether load balancers and endpoints can have addresses of IPv6 beside those of IPv4. */
  public boolean hasDualStack() {
    return isAtLeast(11, 10);
  }

  /** Whether a load balancer can keep a client with its endpoint. */
  public boolean hasAffinity() {
    return isAtLeast(12, 0);
  }

  /** Whether a load balancer can be changed in place. */
  public boolean canModify() {
    return isAtLeast(15, 4);
  }

  private boolean isAtLeast(int wantedMajor, int wantedMinor) {
    return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
  }

  /** {@code 15.4}. */
  @Override
  public String toString() {
    return major + "." + minor;
  }
}

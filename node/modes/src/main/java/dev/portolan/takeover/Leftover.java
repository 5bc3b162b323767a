package dev.portolan.takeover;

/** One kind of objects that kube-proxy left. */
interface Leftover {
  /** What it is and how many, such as {@code ipset: 17 sets}. */
  String describe();

  /**
   * Removes all of it that is there by now; what is gone already is not a failure. What fails is a
   * {@link dev.portolan.netlink.NetlinkException} or a {@link ProgramException}, in words.
   */
  void remove();

  /** What is gone after a removal; empty where all of it goes later. */
  default String gone() {
    return describe();
  }
}

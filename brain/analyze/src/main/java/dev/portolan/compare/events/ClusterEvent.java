package dev.portolan.compare.events;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.net.Ip;

/** Something that can happen to a cluster. Its text is what a user writes to imagine it. */
public sealed interface ClusterEvent {
  /** A node is emptied for maintenance: its pods go, the node is leaving. */
  record Drain(String node) implements ClusterEvent {
    @Override
    public String toString() {
      return "drain " + node;
    }
  }

  /** All nodes of a zone, and all endpoints there, are gone. */
  record LoseZone(String zone) implements ClusterEvent {
    @Override
    public String toString() {
      return "lose " + zone;
    }
  }

  /** A pod is deleted. */
  record DeletePod(NamespacedName pod) implements ClusterEvent {
    @Override
    public String toString() {
      return "delete pod/" + pod;
    }
  }

  /** A Service is deleted, and its slices with it. */
  record DeleteService(NamespacedName service) implements ClusterEvent {
    @Override
    public String toString() {
      return "delete service/" + service;
    }
  }

  /** An EndpointSlice is deleted. */
  record DeleteSlice(NamespacedName slice) implements ClusterEvent {
    @Override
    public String toString() {
      return "delete endpointslice/" + slice;
    }
  }

  /** A Node is deleted, and its pods with it. */
  record DeleteNode(String node) implements ClusterEvent {
    @Override
    public String toString() {
      return "delete node/" + node;
    }
  }

  /** The workload behind a service gets another number of pods. */
  record Scale(NamespacedName service, int pods) implements ClusterEvent {
    @Override
    public String toString() {
      return "scale " + service + "=" + pods;
    }
  }

  /** The endpoint with an address stops to be ready, and to serve. */
  record NotReady(Ip address) implements ClusterEvent {
    @Override
    public String toString() {
      return "not-ready " + address;
    }
  }

  /**
   * In which order events happen that are imagined together: what goes, goes first, so that what is
   * scaled finds its place among the rest.
   */
  default int order() {
    return switch (this) {
      case LoseZone _ -> 0;
      case Drain _ -> 1;
      case DeleteNode _, DeletePod _, DeleteService _, DeleteSlice _ -> 2;
      case NotReady _ -> 3;
      case Scale _ -> 4;
    };
  }

  /** What an event is about, where that is one object. */
  static ObjectRef pod(NamespacedName name) {
    return new ObjectRef("Pod", name.toString());
  }
}

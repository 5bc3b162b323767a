package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.MessageWriter;
import org.jspecify.annotations.Nullable;

/**
 * One change to IPVS: of a virtual service, or of a real server behind one.
 *
 * @param settings null unless a service is added or changed
 * @param server null unless it is about a real server
 */
public record IpvsOrder(
    Action action,
    VirtualService service,
    @Nullable ServiceSettings settings,
    @Nullable RealServer server) {
  private static final int HEADER_VERSION = 1;

  /** What to do, with the kernel's numbers for a service and for a real server. */
  public enum Action {
    ADD("add", 1, 5),
    CHANGE("change", 2, 6),
    DELETE("delete", 3, 7);

    private final String word;
    private final int ofService;
    private final int ofServer;

    Action(String word, int ofService, int ofServer) {
      this.word = word;
      this.ofService = ofService;
      this.ofServer = ofServer;
    }
  }

  /** What the kernel said no to, and why. */
  public record Refusal(IpvsOrder order, int errno, String text) {}

  /** Adds a virtual service. */
  public static IpvsOrder add(VirtualService service, ServiceSettings settings) {
    return new IpvsOrder(Action.ADD, service, settings, null);
  }

  /** Gives a virtual service other settings; its connections and real servers stay. */
  public static IpvsOrder change(VirtualService service, ServiceSettings settings) {
    return new IpvsOrder(Action.CHANGE, service, settings, null);
  }

  /** Deletes a virtual service with its real servers. */
  public static IpvsOrder delete(VirtualService service) {
    return new IpvsOrder(Action.DELETE, service, null, null);
  }

  /** Adds a real server. */
  public static IpvsOrder add(VirtualService service, RealServer server) {
    return new IpvsOrder(Action.ADD, service, null, server);
  }

  /** Gives a real server another weight or other thresholds; its connections stay. */
  public static IpvsOrder change(VirtualService service, RealServer server) {
    return new IpvsOrder(Action.CHANGE, service, null, server);
  }

  /** Deletes a real server. */
  public static IpvsOrder delete(VirtualService service, RealServer server) {
    return new IpvsOrder(Action.DELETE, service, null, server);
  }

  void write(MessageWriter writer, int family, int flags, int sequence) {
    RealServer real = server;
    int command = real == null ? action.ofService : action.ofServer;
    writer.begin(family, MessageWriter.REQUEST | flags, sequence);
    writer.raw(command, HEADER_VERSION, 0, 0);
    writer.nest(
        VirtualService.SERVICE,
        () -> {
          service.writeKey(writer);
          if (settings != null) {
            settings.write(writer);
          }
        });
    if (real != null) {
      real.write(writer, action != Action.DELETE);
    }
    writer.end();
  }

  /** {@code add tcp 10.96.0.10:80 rr}, or {@code delete 10.1.0.5:8080 of tcp 10.96.0.10:80}. */
  @Override
  public String toString() {
    if (server != null) {
      return action.word + " " + server + " of " + service;
    }
    return action.word + " " + service + (settings == null ? "" : " " + settings);
  }
}

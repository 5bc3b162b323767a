package dev.portolan.backend.windows.hcn;

/**
 * The port of a load balancer.
 *
 * @param protocol as IP numbers it
 * @param internal the port of every endpoint
 * @param external the port of the service
 * @param distribution what decides on the endpoint: {@link #CONNECTION} or {@link #CLIENT}
 * @param flags the sum of the others
 */
public record PortMapping(int protocol, int internal, int external, int distribution, int flags) {
  /** Each connection is spread on its own. */
  public static final int CONNECTION = 0;

  /** All connections of a client go to one endpoint. */
  public static final int CLIENT = 2;

  /** The node itself may use the address. */
  public static final int LOCAL_ROUTED_VIP = 2;

  /** Packets come through a multiplexer before the node, which keeps the address. */
  public static final int USE_MUX = 4;

  /** Endpoints see the address of the service as the destination. */
  public static final int PRESERVE_DIP = 8;

  /** The address is one outside the cluster. */
  public static final int VIP_EXTERNAL = 16;
}

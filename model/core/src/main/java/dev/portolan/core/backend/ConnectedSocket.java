package dev.portolan.core.backend;

import dev.portolan.core.net.Ip;

/**
 * A socket on this node that went to an endpoint in place of a service, by itself: no packet of it
 * has the service's address.
 *
 * @param cookie the kernel's number for it, which no other socket ever has
 * @param service the address that the process asked for
 * @param endpoint where its packets go
 */
public record ConnectedSocket(
    long cookie, Ip service, int servicePort, Ip endpoint, int endpointPort) {}

package dev.portolan.core.node;

/**
 * What becomes of one kind of traffic to a service port.
 *
 * @param pool the endpoints that it is spread over where it is forwarded; for any other verdict,
 *     those that were looked at
 * @param masquerade whose connections are masqueraded where they are forwarded
 */
public record Route(Verdict verdict, Pool pool, Masquerade masquerade) {}

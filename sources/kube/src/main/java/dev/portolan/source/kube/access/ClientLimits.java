package dev.portolan.source.kube.access;

/**
 * How a client behaves towards the server.
 *
 * @param qps requests a second in the long run; 0 means 5, less means as many as there are
 * @param burst requests at once after a pause; 0 means 10
 * @param userAgent how the client introduces itself
 */
public record ClientLimits(float qps, int burst, String userAgent) {
  private static final float DEFAULT_QPS = 5;
  private static final int DEFAULT_BURST = 10;

  public ClientLimits {
    qps = qps == 0 ? DEFAULT_QPS : qps;
    burst = burst == 0 ? DEFAULT_BURST : burst;
  }
}

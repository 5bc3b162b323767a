package dev.portolan.apiserver;

/**
 * How fast a client may send requests, and its name.
 *
 * @param qps requests per second in the long run; 0 means 5, negative means no limit
 * @param burst requests at once after a pause; 0 means 10
 * @param userAgent the User-Agent header
 */
public record ClientLimits(float qps, int burst, String userAgent) {
  private static final float DEFAULT_QPS = 5;
  private static final int DEFAULT_BURST = 10;

  public ClientLimits {
    qps = qps == 0 ? DEFAULT_QPS : qps;
    burst = burst == 0 ? DEFAULT_BURST : burst;
  }
}

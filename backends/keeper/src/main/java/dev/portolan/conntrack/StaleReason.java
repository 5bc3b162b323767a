package dev.portolan.conntrack;

/** Why a flow may not live on. */
public enum StaleReason {
  /** Its endpoint does not serve any more, while others do. */
  ENDPOINT_GONE,
  /** The service has no serving endpoint left. */
  NO_ENDPOINTS,
  /** No service has the address and port any more. */
  SERVICE_GONE,
  /** It began before the service was there, and passes all endpoints by. */
  NOT_FORWARDED
}

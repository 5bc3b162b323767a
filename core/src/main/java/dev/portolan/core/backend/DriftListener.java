package dev.portolan.core.backend;

/** Told when what a backend wrote was changed by somebody else. Any thread may call. */
public interface DriftListener {
  /** So many objects were not as written, because of {@code cause}; they are repaired. */
  void repaired(int objects, String cause);

  /** A repair failed; the next sync or audit tries again. */
  void notRepaired(BackendException failure);
}

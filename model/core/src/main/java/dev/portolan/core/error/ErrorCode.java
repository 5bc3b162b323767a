package dev.portolan.core.error;

import org.jspecify.annotations.Nullable;

/**
 * A kind of failure that a script or an alert may want to tell from others. Sentences change, codes
 * do not: a code is never given to another kind, nor used again. docs/errors.md lists them.
 */
public enum ErrorCode {
  /** The configuration of kube-proxy is not valid. */
  CONFIGURATION(101),
  /** Manifests cannot be read. */
  MANIFEST(102),
  /** A node, service or network namespace does not exist. */
  NOT_FOUND(103),
  /** Output cannot be written. */
  OUTPUT(104),
  /** A recording cannot be read or written. */
  RECORDING(105),

  /** There is no usable kubeconfig, or its credentials cannot be used. */
  CREDENTIALS(201),
  /** The API server does not answer. */
  API_SERVER_UNREACHABLE(202),
  /** The API server answers with an error. */
  API_SERVER_REFUSED(203),
  /** The API server's answer cannot be decoded. */
  API_SERVER_ANSWER(204),

  /** A backend failed in a way that has no code of its own. */
  BACKEND(300),
  /** The kernel does not let this process change its rules. */
  PRIVILEGES(301),
  /** The kernel or the host lacks something that the backend needs. */
  HOST(302),
  /** The kernel rejected rules. */
  RULES_REJECTED(303),
  /** The program of an exec backend failed. */
  PROGRAM(304),
  /** Stale conntrack entries could not be deleted. */
  STALE_FLOWS(305),
  /** Rules of another proxy could not be removed. */
  TAKEOVER(306),
  /** Rules of another program are in the place where ours should be. */
  FOREIGN_RULES(307),
  /** Another Portolan programs the same kernel. */
  LOCKED(308),
  /** Another program keeps changing the rules back. */
  CONTESTED(309),
  /** A kube-proxy runs beside this one. */
  OTHER_PROXY(310),
  /** Rules are missing and cannot be put back. */
  RULES_MISSING(311),

  /** An address cannot be listened on. */
  LISTEN(401),
  /** Certificates or keys for the API cannot be used. */
  TLS(402),
  /** The API of a brain does not answer, or does not allow the call. */
  BRAIN_API(403),

  /** A bug in Portolan. */
  INTERNAL(500),
  /** The heap is too small for the cluster. */
  MEMORY(501),
  /** The process may open too few files. */
  DESCRIPTORS(502);

  /** How the system says that a process may open no more files. */
  private static final String TOO_MANY = "Too many open files";

  private final String text;

  ErrorCode(int number) {
    this.text = "PORT-" + number;
  }

  /** The code of the outermost exception that carries one; {@link #INTERNAL} if none does. */
  public static ErrorCode of(Throwable failure) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof Coded coded) {
        return coded.code();
      }
      if (TOO_MANY.equals(e.getMessage())) {
        return DESCRIPTORS;
      }
    }
    return INTERNAL;
  }

  /** The sentence with the code behind it, as people see it. */
  public String mark(String sentence) {
    return sentence + " [" + text + "]";
  }

  /** A sentence without the code that may be behind it, for one that gets another. */
  public static String unmarked(String sentence) {
    return sentence.replaceFirst(" \\[PORT-\\d+]$", "");
  }

  /** The code as scripts see it, such as {@code PORT-303}. */
  @Override
  public String toString() {
    return text;
  }
}

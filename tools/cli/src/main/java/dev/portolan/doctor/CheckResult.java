package dev.portolan.doctor;

/**
 * What a check found.
 *
 * @param id a name that stays the same, such as {@code sysctl.ip_forward}
 * @param finding what is the case
 * @param remedy what to do about it; empty where there is nothing to do
 */
public record CheckResult(String id, CheckStatus status, String finding, String remedy) {
  static CheckResult ok(String id, String finding) {
    return new CheckResult(id, CheckStatus.OK, finding, "");
  }

  static CheckResult warn(String id, String finding, String remedy) {
    return new CheckResult(id, CheckStatus.WARN, finding, remedy);
  }

  static CheckResult fail(String id, String finding, String remedy) {
    return new CheckResult(id, CheckStatus.FAIL, finding, remedy);
  }

  static CheckResult unknown(String id, String finding, String remedy) {
    return new CheckResult(id, CheckStatus.UNKNOWN, finding, remedy);
  }
}

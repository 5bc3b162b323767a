package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.IpvsOrder;
import dev.portolan.netlink.ipvs.IpvsOrder.Refusal;
import dev.portolan.netlink.ipvs.ServiceSettings;
import dev.portolan.netlink.ipvs.VirtualService;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is missing or refused is said in a sentence. */
final class IpvsRequirementsTest {
  private static final VirtualService SERVICE =
      new ServerKey(Ip.of("10.96.0.10"), Protocol.TCP, 80).service();
  private static final ServiceSettings SETTINGS =
      ServiceSettings.of(AddressFamily.IPV4, "mh", ServiceSettings.PORT, 0);

  @Test
  @NeedsKernel
  void aKernelWithoutIpvsIsToldFromOneWithIt() {
    try (TestNamespace namespace = new TestNamespace()) {
      Optional<Ipvs> there = Ipvs.load(namespace.path());
      there.ifPresent(Ipvs::close);
      if (there.isPresent()) {
        IpvsRequirements.connect(namespace.path()).close();
        return;
      }
      assertThatThrownBy(() -> new IpvsBackend(IpvsOptions.DEFAULT.in(namespace.path())))
          .hasMessage(
              "ipvs: this kernel does not have IPVS; load the module ip_vs, or use another mode")
          .extracting(e -> ((BackendException) e).code())
          .isEqualTo(ErrorCode.HOST);
    }
  }

  @Test
  void everyRefusalHasItsSentence() {
    assertThat(sentence(new Refusal(IpvsOrder.add(SERVICE, SETTINGS), Errno.EPERM, "")))
        .isEqualTo("PORT-301 ipvs: not permitted; run as root or with CAP_NET_ADMIN");
    assertThat(sentence(new Refusal(IpvsOrder.add(SERVICE, SETTINGS), Errno.ENOENT, "")))
        .startsWith("PORT-302 ipvs: this kernel does not have the scheduler mh; load the module");
    assertThat(sentence(new Refusal(IpvsOrder.change(SERVICE, SETTINGS), Errno.EBUSY, "")))
        .isEqualTo(
            "PORT-303 ipvs: cannot change tcp 10.96.0.10:80 mh (mh-port): another program is"
                + " changing IPVS; it is tried again");
    assertThat(sentence(new Refusal(IpvsOrder.delete(SERVICE), Errno.EINVAL, "no such thing")))
        .isEqualTo(
            "PORT-303 ipvs: cannot delete tcp 10.96.0.10:80: EINVAL: invalid (no such thing)");
  }

  @Test
  void onlyTheFirstFewSentencesAreSaidAndEachOnce() {
    IpvsProblems problems = new IpvsProblems();
    for (int i = 0; i < 10; i++) {
      problems.add(ErrorCode.HOST, "problem " + i % 5);
    }
    assertThatThrownBy(problems::check)
        .hasMessage("ipvs: problem 0; problem 1; problem 2; and 2 more");
  }

  @Test
  void theWaitForReusedPortsIsTurnedOffInTheKernelsThatHaveIt() {
    assertThat(VsSysctls.reusesPortsBadly("4.19.0-25-amd64")).isTrue();
    assertThat(VsSysctls.reusesPortsBadly("5.8.18")).isTrue();
    assertThat(VsSysctls.reusesPortsBadly("5.10.0")).isFalse();
    assertThat(VsSysctls.reusesPortsBadly("6.1.0-54-amd64")).isFalse();
    assertThat(VsSysctls.reusesPortsBadly("")).isFalse();
  }

  private static String sentence(Refusal refusal) {
    IpvsProblems problems = new IpvsProblems();
    problems.add(refusal);
    try {
      problems.check();
    } catch (BackendException e) {
      return e.code() + " " + e.getMessage();
    }
    return "";
  }
}

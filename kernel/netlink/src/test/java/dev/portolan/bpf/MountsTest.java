package dev.portolan.bpf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines of mountinfo. */
class MountsTest {
  private static final Mounts HYBRID =
      Mounts.parse(
          List.of(
              "21 1 0:19 / /sys rw,nosuid - sysfs sysfs rw",
              "30 21 0:26 / /sys/fs/cgroup ro - tmpfs tmpfs ro",
              "31 30 0:27 / /sys/fs/cgroup/unified rw,relatime shared:10 - cgroup2 cgroup2 rw",
              "32 21 0:28 / /sys/fs/bpf rw master:3 shared:9 - bpf bpf rw,mode=700",
              "33 32 0:29 / /sys/fs/bpf/not\\040this rw - tmpfs tmpfs rw"));

  @Test
  void theCgroupRootIsFoundByItsType() {
    assertThat(HYBRID.cgroupRoot()).contains(Path.of("/sys/fs/cgroup/unified"));
    assertThat(Mounts.parse(List.of("garbage", "- -", "")).cgroupRoot()).isEmpty();
  }

  @Test
  void inAContainerTheCgroupsOfTheHostAreThoseAboveItsOwn() {
    String own = "31 30 0:27 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate";
    String part = "32 30 0:27 /sub /part ro - cgroup2 cgroup rw";
    String host = "40 30 0:27 /../../.. /host/sys/fs/cgroup ro - cgroup2 cgroup2 rw";
    Mounts alone = Mounts.parse(List.of(part, own));
    assertThat(alone.cgroupRoot()).contains(Path.of("/sys/fs/cgroup"));
    assertThat(alone.showsCgroupsAbove()).isFalse();
    Mounts both = Mounts.parse(List.of(own, host));
    assertThat(both.cgroupRoot()).contains(Path.of("/host/sys/fs/cgroup"));
    assertThat(both.showsCgroupsAbove()).isTrue();
  }

  @Test
  void theNearestMountDecidesWhetherAPathIsInABpffs() {
    assertThat(HYBRID.isBpf(Path.of("/sys/fs/bpf/portolan"))).isTrue();
    assertThat(HYBRID.isBpf(Path.of("/sys/fs/bpf"))).isTrue();
    assertThat(HYBRID.isBpf(Path.of("/sys/fs/bpf/not this/x"))).isFalse();
    assertThat(HYBRID.isBpf(Path.of("/sys/fs/bpfx"))).isFalse();
    assertThat(HYBRID.isBpf(Path.of("/tmp"))).isFalse();
  }

  @Test
  void aMountWhoseNameIsNotTextHidesNoOther() {
    byte[] file =
        "30 21 0:26 / /mnt/\u00ff rw - tmpfs tmpfs rw\n31 30 0:27 / /cgroups ro - cgroup2 cgroup2 rw\n"
            .getBytes(StandardCharsets.ISO_8859_1);
    assertThat(Mounts.parse(file).cgroupRoot()).contains(Path.of("/cgroups"));
  }

  @Test
  void thisMachineHasMounts() {
    assertThat(Mounts.read().all()).isNotEmpty();
  }
}

package dev.portolan.doctor;

import dev.portolan.mode.Mode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the kernel's modules are loaded, built in, or can be loaded. */
record ModuleCheck(KernelFiles files, Mode mode) {
  private static final Pattern FILE = Pattern.compile("([^/:]+)\\.ko(\\.\\w+)?(:.*)?$");
  private static final List<String> ALL = List.of("nf_conntrack", "nf_nat");

  List<CheckResult> run() {
    String id = "kernel.modules";
    List<String> wanted = new ArrayList<>(ALL);
    wanted.addAll(mode.modules());
    Optional<List<String>> loaded = files.lines("/proc/modules");
    if (loaded.isEmpty()) {
      return List.of(CheckResult.ok(id, "this kernel has no modules: all that it has is built in"));
    }
    Set<String> there = new HashSet<>();
    loaded.get().forEach(line -> there.add(normal(line.split(" ", 2)[0])));
    String folder = "/lib/modules/" + System.getProperty("os.version", "") + "/";
    Optional<List<String>> builtIn = files.lines(folder + "modules.builtin");
    builtIn.ifPresent(lines -> addFiles(lines, there));
    files.lines(folder + "modules.dep").ifPresent(lines -> addFiles(lines, there));
    List<String> missing =
        wanted.stream().filter(module -> !there.contains(normal(module))).toList();
    return List.of(of(id, missing, builtIn.isPresent()));
  }

  private static CheckResult of(String id, List<String> missing, boolean known) {
    if (missing.isEmpty()) {
      return CheckResult.ok(id, "all that are needed are loaded, built in, or can be loaded");
    }
    String names = String.join(" ", missing);
    return known
        ? CheckResult.warn(
            id,
            "neither loaded nor installed: " + names,
            "install the kernel's extra modules, then run: modprobe -a " + names)
        : CheckResult.unknown(
            id,
            "not loaded: "
                + names
                + "; /lib/modules is not there to tell whether they are built"
                + " in",
            "run it on the host, or mount /lib/modules; to load them: modprobe -a " + names);
  }

  private static void addFiles(List<String> lines, Set<String> names) {
    for (String line : lines) {
      Matcher matcher = FILE.matcher(line.split(":", 2)[0]);
      if (matcher.find()) {
        names.add(normal(matcher.group(1)));
      }
    }
  }

  private static String normal(String name) {
    return name.replace('-', '_');
  }
}

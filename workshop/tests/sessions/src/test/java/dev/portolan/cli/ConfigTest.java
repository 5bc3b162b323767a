package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not text, or hostile; the rest are sessions. */
final class ConfigTest {
  private static final String V1 =
      "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n";

  @TempDir private Path folder;

  @Test
  void whatIsNotTextEndsWithTwo() throws IOException {
    String latin = folder.resolve("latin.yaml").toString();
    Files.write(Path.of(latin), new byte[] {'a', ':', ' ', (byte) 0xe4});
    String long1 = folder.resolve("long.yaml").toString();
    Files.write(Path.of(long1), new byte[(1 << 20) + 1]);
    for (String command : List.of("convert", "validate")) {
      fails(command, latin, "portolan: " + latin + ": is not UTF-8; save it as UTF-8");
      fails(command, long1, "portolan: " + long1 + ": is larger than 1 MiB, so it is not a");
      fails(command, "\0", "portolan: \ufffd: no such file");
    }
  }

  private static void fails(String command, String file, String message) {
    Result result = Shell.run("config", command, file);
    assertThat(result.status()).as(file).isEqualTo(2);
    assertThat(result.out()).as(file).isEmpty();
    assertThat(result.err()).as(file).startsWith(message);
  }

  @Test
  void hostileTextDoesNothingToATerminal() throws IOException {
    String text = V1 + "mode: \"\\e[2Jmagic\\u202e\"\n\"\\e]0;x\\a\": 1\n";
    String file = Files.writeString(folder.resolve("f.yaml"), text).toString();
    for (Result result :
        List.of(
            Shell.run("config", "validate", file),
            Shell.run("config", "convert", file),
            Shell.run("config", "convert", "--diff", file),
            Shell.run("config", "explain", "\u001b[2J"))) {
      assertThat(result.out() + result.err()).doesNotContain("\u001b", "\u0007", "\u202e");
    }
  }
}

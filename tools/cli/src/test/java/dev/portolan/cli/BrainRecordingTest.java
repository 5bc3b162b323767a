package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a brain with {@code --record} leaves decides again as the brain did. */
final class BrainRecordingTest {
  private static final String NODE = "--node=worker-1";
  private static final String NAME = "name: web";
  private static final String LABEL = ", labels: {service.kubernetes.io/service-proxy-name: mine}";

  @TempDir private Path folder;

  @Test
  void settingsGivenAsOptionsAreInTheRecording() throws Exception {
    String[] settings = {
      "--cluster-cidr=10.128.0.0/9",
      "--nodeport-addresses=192.168.10.0/24",
      "--masquerade-all",
      "--balancing=maglev"
    };
    List<String> options = new ArrayList<>(List.of("--record=" + records()));
    options.addAll(List.of(settings));
    try (ServedShop shop = new ServedShop(folder, options.toArray(String[]::new))) {
      assertThat(shop.stop()).isZero();
    }
    List<String> words = new ArrayList<>(List.of("render", "--from=file:" + Shell.SHOP, NODE));
    String plain = Shell.run(words.toArray(String[]::new)).out();
    words.addAll(List.of(settings));
    Result said = Shell.run(words.toArray(String[]::new));
    Result recorded = Shell.run("render", "--from=record:" + records(), NODE);
    assertThat(recorded.status()).as(recorded.err()).isZero();
    assertThat(recorded.out()).isEqualTo(said.out()).isNotEqualTo(plain);
  }

  @Test
  void theNameOfTheProxyIsInTheRecording() throws Exception {
    try (ServedShop shop =
        new ServedShop(folder, "--record=" + records(), "--service-proxy-name=mine")) {
      shop.replace("services.yaml", NAME + "}", NAME + LABEL + "}");
      shop.awaitShown("shop/web");
      assertThat(shop.stop()).isZero();
    }
    Result recorded = Shell.run("show", "--from=record:" + records(), NODE);
    assertThat(recorded.out()).contains("shop/web").doesNotContain("shop/api");
    assertThat(Shell.run("history", records().toString(), "--service=shop/web", NODE).out())
        .contains("10.96.20.10");
  }

  private Path records() {
    return folder.resolve("records");
  }
}

package dev.portolan.source.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.text.TextException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Items are decoded before it is known what the document around them is. */
class ListItemsTest {
  private static final String BROKEN =
      "- {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {type: Foo}}\n";
  private static final String NODE = "- {apiVersion: v1, kind: Node, metadata: {name: n1}}\n";
  private static final String UNNAMED = "- {metadata: {name: n2}}\n";

  private static Manifests parse(String text) {
    return Manifests.parse("a.yaml", text);
  }

  private static List<String> nodes(Manifests manifests) {
    return manifests.places().keySet().stream().map(ObjectRef::toString).sorted().toList();
  }

  @Test
  void theKindOfAListMayComeLast() {
    assertThat(nodes(parse("apiVersion: v1\nitems:\n" + NODE + "kind: List\n")))
        .containsExactly("Node n1");
  }

  @Test
  void itemsThatSayWhatTheyAreMayStandBesideOthers() {
    assertThat(nodes(parse("apiVersion: v1\nitems:\n" + NODE + UNNAMED + "kind: NodeList\n")))
        .containsExactly("Node n1", "Node n2");
  }

  /** As an API server answers; no item says what it is. */
  @Test
  void aListThatSaysFirstWhatItsItemsAreMayBeOfAnyLength() {
    StringBuilder list = new StringBuilder("apiVersion: v1\nkind: NodeList\nitems:\n");
    for (int i = 0; i < 100_000; i++) {
      list.append("- {metadata: {name: n").append(i).append("}, x: [1]}\n");
    }
    assertThat(parse(list.toString()).places()).hasSize(100_000);
    assertThatThrownBy(() -> parse("apiVersion: v1\nkind: NodeList\nitems:\n- {}\n"))
        .hasMessage("a.yaml:4:3: Node: metadata.name: missing, but required");
  }

  @Test
  void itemsOfWhatIsNoListAreNotObjects() {
    Manifests manifests =
        parse("apiVersion: v1\nitems:\n" + NODE + BROKEN + "kind: ConfigMap\n---\n" + NODE);
    assertThat(manifests.places()).isEmpty();
    assertThat(parse("apiVersion: v1\nitems:\n" + NODE + "kind: FooList\n").places()).isEmpty();
  }

  @Test
  void aMistakeInAnItemHasItsPlace() {
    assertThatThrownBy(() -> parse("apiVersion: v1\nitems:\n" + NODE + BROKEN + "kind: List\n"))
        .isInstanceOf(TextException.class)
        .hasMessage(
            "a.yaml:4:71: Service default/web: spec.type: 'Foo' is not known; write one of"
                + " ClusterIP, ExternalName, LoadBalancer, NodePort");
  }

  @Test
  void aMistakeInTheSyntaxComesFirstWhereverItIs() {
    assertThatThrownBy(() -> parse("apiVersion: v1\nitems:\n" + BROKEN + "kind: List\n---\n[a\n"))
        .hasMessageContaining("not valid YAML");
  }

  @Test
  void aMistakeBetweenItemsSaysHowManyAreBeforeIt() {
    assertThatThrownBy(() -> parse("apiVersion: v1\nkind: List\nitems:\n" + NODE + NODE + "- *x\n"))
        .hasMessageContaining("items[2]");
  }

  @Test
  void anItemThatIsUsedAgainIsStillThere() {
    String list = "apiVersion: v1\nkind: List\nitems: &all\n" + NODE + "more: *all\n";
    assertThat(nodes(parse(list))).containsExactly("Node n1");
  }
}

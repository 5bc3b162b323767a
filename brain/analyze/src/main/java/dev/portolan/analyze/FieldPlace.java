package dev.portolan.analyze;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds where the field of a finding is written. */
public final class FieldPlace {
  private static final Pattern STEP = Pattern.compile("\\[([^]]*)]|([^.\\[]+)");

  private FieldPlace() {}

  /** The place of the field {@code path} in {@code object}; of the nearest around it if absent. */
  public static ClusterFinding.Place place(Field object, String path) {
    Field field = object;
    try {
      Matcher step = STEP.matcher(path);
      while (step.find()) {
        Field next = inside(field, step.group(1) == null ? step.group(2) : step.group(1));
        if (!next.isPresent()) {
          break;
        }
        field = next;
      }
    } catch (TextException e) {
      // The object is not as the path expects: the last good step is near enough.
    }
    String place = field.place();
    int colon = place.lastIndexOf(':');
    return new ClusterFinding.Place(
        place.substring(0, colon), Integer.parseInt(place.substring(colon + 1)));
  }

  private static Field inside(Field field, String step) {
    if (!field.isList()) {
      return field.at(step);
    }
    List<Field> items = field.items();
    int index = step.matches("[0-9]{1,6}") ? Integer.parseInt(step) : items.size();
    return index < items.size() ? items.get(index) : field;
  }

  /** What {@code object} is. */
  public static ObjectRef ref(Field object) {
    Field metadata = object.at("metadata");
    String kind = object.at("kind").text("");
    String name = metadata.at("name").text("");
    boolean clusterWide = kind.equals("Node") || kind.equals("ServiceCIDR");
    String namespace = metadata.at("namespace").text("");
    return new ObjectRef(
        kind, clusterWide ? name : (namespace.isEmpty() ? "default" : namespace) + "/" + name);
  }
}

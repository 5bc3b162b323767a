package dev.portolan.config;

import dev.portolan.config.Yaml.Entry;
import dev.portolan.config.Yaml.Mapping;
import dev.portolan.config.Yaml.Scalar;
import dev.portolan.config.Yaml.Sequence;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads the one document of a configuration file. */
final class YamlReader {
  private static final int DEEPEST = 50;
  private static final String STRING_TAG = "tag:yaml.org,2002:str";

  private final String file;
  private final Iterator<Event> events;

  private YamlReader(String file, Iterator<Event> events) {
    this.file = file;
    this.events = events;
  }

  /** The document in {@code text}; an error where there is none, or more than one. */
  static Yaml read(String file, String text) {
    try {
      LoadSettings settings =
          LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).setLabel(file).build();
      return new YamlReader(file, new Parse(settings).parseString(text).iterator()).document();
    } catch (ReaderException e) {
      throw wrong(file, placeOf(text, e.getPosition()), forbidden(e));
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
      Place place = mark.map(YamlReader::place).orElse(new Place(1, 1));
      throw wrong(file, place, "not valid YAML: " + explain(String.valueOf(e.getProblem())));
    } catch (YamlEngineException e) {
      String problem = String.valueOf(e.getMessage());
      throw wrong(file, new Place(1, 1), "not valid YAML: " + explain(problem));
    }
  }

  private Yaml document() {
    Yaml found = null;
    while (events.hasNext()) {
      if (!(events.next() instanceof DocumentStartEvent start)) {
        continue;
      }
      Yaml document = value(events.next(), 0);
      if (document.isNull()) {
        continue;
      }
      if (found != null) {
        throw wrong(
            file,
            start.getStartMark().map(YamlReader::place).orElse(document.place()),
            "a second document starts here, but a configuration file has only one; use separate"
                + " files");
      }
      found = document;
    }
    if (found == null) {
      throw wrong(
          file,
          new Place(1, 1),
          "the file is empty; start it with 'apiVersion: "
              + Version.latest().apiVersion()
              + "' and 'kind: "
              + Version.KIND
              + "'");
    }
    return found;
  }

  private Yaml value(Event event, int depth) {
    Place place = event.getStartMark().map(YamlReader::place).orElse(new Place(1, 1));
    if (depth > DEEPEST) {
      throw wrong(file, place, "nested too deeply; no field of a configuration is");
    }
    return switch (event) {
      case ScalarEvent scalar -> {
        check(scalar.getAnchor(), scalar.getTag(), place);
        boolean text = !scalar.isPlain() || scalar.getTag().isPresent();
        yield new Scalar(scalar.getValue(), text, place);
      }
      case SequenceStartEvent start -> {
        check(start.getAnchor(), start.getTag(), place);
        yield sequence(place, depth);
      }
      case MappingStartEvent start -> {
        check(start.getAnchor(), start.getTag(), place);
        yield mapping(place, depth);
      }
      case AliasEvent alias ->
          throw wrong(
              file,
              place,
              "the alias "
                  + Quotes.quote("*" + alias.getAlias().getValue())
                  + " is not allowed in a configuration; write the value out");
      default -> throw wrong(file, place, "not valid YAML: a value is missing; write one");
    };
  }

  private Sequence sequence(Place place, int depth) {
    List<Yaml> items = new ArrayList<>();
    for (Event next = events.next(); !(next instanceof SequenceEndEvent); next = events.next()) {
      items.add(value(next, depth + 1));
    }
    return new Sequence(items, place);
  }

  private Mapping mapping(Place place, int depth) {
    List<Entry> entries = new ArrayList<>();
    for (Event next = events.next(); !(next instanceof MappingEndEvent); next = events.next()) {
      Yaml key = value(next, depth + 1);
      if (!(key instanceof Scalar scalar)) {
        throw wrong(
            file,
            key.place(),
            "a key must be a string, but this is "
                + key.describe()
                + "; if this file is a template ({{ … }}), render it first");
      }
      entries.add(new Entry(scalar, value(events.next(), depth + 1)));
    }
    return new Mapping(entries, place);
  }

  private void check(Optional<Anchor> anchor, Optional<String> tag, Place place) {
    if (anchor.isPresent()) {
      throw wrong(
          file,
          place,
          "the anchor "
              + Quotes.quote("&" + anchor.get().getValue())
              + " is not allowed in a configuration; remove it and write the value out where it is"
              + " repeated");
    }
    if (tag.isPresent() && !tag.get().equals(STRING_TAG) && !tag.get().equals("!")) {
      throw wrong(file, place, "the tag " + Quotes.quote(tag.get()) + " is not known; remove it");
    }
  }

  /** Says what a person did where the parser says what it missed. */
  private static String explain(String problem) {
    if (problem.contains("(TAB)")) {
      return "tabs are not allowed here; indent with spaces";
    }
    if (problem.startsWith("expected <block end>")) {
      return "the indentation does not match the lines above; align it with them";
    }
    if (problem.startsWith("mapping values are not allowed")) {
      return "'key: value' is not allowed here; check the indentation, or quote text that contains"
          + " ': '";
    }
    return problem.lines().findFirst().orElse(problem) + "; correct the text here";
  }

  private static String forbidden(ReaderException e) {
    return String.format(
        "the character U+%04X is not allowed in a configuration; remove it", e.getCodePoint());
  }

  private static Place place(Mark mark) {
    return new Place(mark.getLine() + 1, mark.getColumn() + 1);
  }

  private static Place placeOf(String text, int codePoints) {
    int end =
        text.offsetByCodePoints(0, Math.min(codePoints, text.codePointCount(0, text.length())));
    String before = text.substring(0, end);
    return new Place(
        (int) before.chars().filter(c -> c == '\n').count() + 1, end - before.lastIndexOf('\n'));
  }

  private static ConfigException wrong(String file, Place place, String text) {
    return new ConfigException(List.of(new Finding(Severity.ERROR, file, place, "", text)));
  }
}

package dev.portolan.testbase;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Tries one property with generated values until it fails, and then with less and less of them. */
final class Tries {
  /** What fails is tried this often with a part left out. */
  private static final int MOST_REDUCTIONS = 500;

  /** Values with which the property fails, and what it throws. */
  private record Failure(List<Object> values, Throwable thrown) {}

  private final Class<?> home;
  private final Method property;
  private final List<Gen<?>> gens = new ArrayList<>();

  Tries(Object test, Method property) {
    home = test.getClass();
    this.property = property;
    for (Parameter parameter : property.getParameters()) {
      gens.add(Parameters.gen(parameter, test));
    }
  }

  /** Throws an error that says what fails, and how to see it again. */
  void run(int tries, long seed) {
    int passedOver = 0;
    for (int i = 0; i < tries; i++) {
      List<Object> values = values(seed + i);
      Throwable failure = failure(values);
      if (failure instanceof TestAbortedException) {
        passedOver++;
      } else if (failure != null) {
        String which = "try %d of %d".formatted(i + 1, tries);
        throw error(which, values, reduced(values, failure), seed + i);
      }
    }
    if (passedOver == tries) {
      throw new AssertionFailedError(
          "%s was passed over in all %d tries: its assumption must be true for some values"
              .formatted(property.getName(), tries));
    }
  }

  private List<Object> values(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Object> values = new ArrayList<>();
    gens.forEach(gen -> values.add(gen.next(random)));
    return values;
  }

  /** What the property throws, if anything, in an instance of its own. */
  private @Nullable Throwable failure(List<Object> values) {
    Object[] arguments =
        values.stream()
            .map(value -> value instanceof byte[] bytes ? bytes.clone() : value)
            .toArray();
    try {
      ReflectionSupport.invokeMethod(property, ReflectionSupport.newInstance(home), arguments);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  /** Leaves out parts of the values for as long as the property fails in the same way. */
  private Failure reduced(List<Object> values, Throwable thrown) {
    Failure failure = new Failure(values, thrown);
    Iterator<List<Object>> candidates = smaller(values).iterator();
    for (int i = 0; i < MOST_REDUCTIONS && candidates.hasNext(); i++) {
      List<Object> candidate = candidates.next();
      Throwable again = failure(candidate);
      if (again != null && again.getClass() == thrown.getClass()) {
        failure = new Failure(candidate, again);
        candidates = smaller(candidate).iterator();
      }
    }
    return failure;
  }

  private Stream<List<Object>> smaller(List<Object> values) {
    return IntStream.range(0, values.size())
        .boxed()
        .flatMap(i ->
            smaller(gens.get(i), values.get(i))
                .map(value -> {
                  List<Object> candidate = new ArrayList<>(values);
                  candidate.set(i, value);
                  return candidate;
                }));
  }

  /** A value is one of its generator's. */
  @SuppressWarnings("unchecked")
  private static <T> Stream<T> smaller(Gen<T> gen, Object value) {
    return gen.smaller((T) value);
  }

  private AssertionFailedError error(
      String which, List<Object> before, Failure failure, long seed) {
    String message =
        "%s fails in %s with %s%s%nTo begin with this try: @Property(seed = %dL)%n%s"
            .formatted(
                property.getName(),
                which,
                text(failure.values()),
                failure.values().equals(before) ? "" : ", reduced from " + text(before),
                seed,
                failure.thrown());
    return new AssertionFailedError(message, failure.thrown());
  }

  private String text(List<Object> values) {
    return IntStream.range(0, values.size())
        .mapToObj(i -> property.getParameters()[i].getName() + " = " + text(values.get(i)))
        .collect(Collectors.joining(", "));
  }

  private static String text(Object value) {
    return switch (value) {
      case byte[] bytes -> Arrays.toString(bytes);
      case String string -> quoted(string);
      default -> value.toString();
    };
  }

  /** As it would stand in a Java program. */
  private static String quoted(String text) {
    return text.chars()
        .mapToObj(c ->
            c == '"' || c == '\\'
                ? "\\" + (char) c
                : c < ' ' || c > '~' ? "\\u%04x".formatted(c) : Character.toString(c))
        .collect(Collectors.joining("", "\"", "\""));
  }
}

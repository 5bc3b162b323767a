package dev.portolan.testbase;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import org.junit.platform.commons.support.ReflectionSupport;

/** Which values a parameter of a property gets. */
final class Parameters {
  private static final int LONGEST = 255;

  private Parameters() {}

  /** The generator that the parameter names, or that of its type. */
  static Gen<?> gen(Parameter parameter, Object test) {
    ForAll wanted = parameter.getAnnotation(ForAll.class);
    if (wanted == null) {
      throw new IllegalArgumentException(parameter + " must be marked with @ForAll");
    }
    return wanted.value().isEmpty()
        ? ofType(parameter.getParameterizedType(), wanted.min(), wanted.max())
        : named(wanted.value(), test);
  }

  private static Gen<?> named(String name, Object test) {
    Method method =
        ReflectionSupport.findMethod(test.getClass(), name)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    test.getClass() + " must have a method " + name + "() that returns a Gen"));
    if (ReflectionSupport.invokeMethod(method, test) instanceof Gen<?> gen) {
      return gen;
    }
    throw new IllegalArgumentException(method + " must return a Gen");
  }

  private static Gen<?> ofType(Type type, long min, long max) {
    int shortest = (int) Math.max(min, 0);
    int longest = max == Long.MAX_VALUE ? Math.max(LONGEST, shortest) : (int) max;
    if (type == long.class || type == Long.class) {
      return Gen.longs(min, max);
    } else if (type == int.class || type == Integer.class) {
      return Gen.integers(
          (int) Math.max(min, Integer.MIN_VALUE), (int) Math.min(max, Integer.MAX_VALUE));
    } else if (type == double.class || type == Double.class) {
      return Gen.doubles();
    } else if (type == String.class) {
      return Gen.texts(shortest, longest);
    } else if (type == byte[].class) {
      return Gen.bytes(shortest, longest);
    } else if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return ofType(list.getActualTypeArguments()[0], Long.MIN_VALUE, Long.MAX_VALUE)
          .lists(shortest, longest);
    }
    throw new IllegalArgumentException(
        type.getTypeName() + " has no values of its own: name a method, @ForAll(\"method\")");
  }
}

package dev.portolan.testbase;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A parameter of a {@link Property}, for which values are generated. */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface ForAll {
  /**
   * The method of the test's class that returns the {@link Gen}. Without one the type says what is
   * generated: {@code long}, {@code int}, {@code double}, {@code String}, {@code byte[]}, or a list
   * of those.
   */
  String value() default "";

  /** The least number; the least length of a text, an array or a list. */
  long min() default Long.MIN_VALUE;

  /** The greatest number; the greatest length, which is otherwise 255. */
  long max() default Long.MAX_VALUE;
}

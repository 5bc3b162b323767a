package dev.portolan.testbase;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that must pass for all values of its parameters, each marked with {@link ForAll}. It is
 * tried with many of them. Each try has an instance of the class to itself, for which no
 * {@code @BeforeEach} is called. A try whose assumption fails is passed over.
 *
 * <p>A failure names the seed of its try: with it the property begins with that try.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(PropertyExtension.class)
public @interface Property {
  /** How often it is tried. */
  int tries() default 1000;

  /** The seed of the first try; 0 for any. The next try has the next number. */
  long seed() default 0;
}

package dev.portolan.testbase;

import java.lang.reflect.Method;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** To JUnit a property is one test, called once; all its tries are made instead of that call. */
final class PropertyExtension
    implements TestTemplateInvocationContextProvider, ParameterResolver, InvocationInterceptor {
  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    int tries = property(context).tries();
    return Stream.of(
        new TestTemplateInvocationContext() {
          @Override
          public String getDisplayName(int invocationIndex) {
            return tries + " tries";
          }
        });
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.isAnnotated(ForAll.class);
  }

  /** A value for the call that is not made. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return Parameters.gen(parameter.getParameter(), context.getRequiredTestInstance())
        .next(new SplittableRandom(0));
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context) {
    invocation.skip();
    Property property = property(context);
    long seed = property.seed() == 0 ? new SplittableRandom().nextLong() : property.seed();
    new Tries(context.getRequiredTestInstance(), method.getExecutable())
        .run(property.tries(), seed);
  }

  private static Property property(ExtensionContext context) {
    return context.getRequiredTestMethod().getAnnotation(Property.class);
  }
}

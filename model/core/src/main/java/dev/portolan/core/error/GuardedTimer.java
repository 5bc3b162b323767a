package dev.portolan.core.error;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A timer whose periodic tasks go on whatever they throw. */
final class GuardedTimer extends ScheduledThreadPoolExecutor {
  private final UnaryOperator<Runnable> guard;

  /** Runs each task in {@code guard}. */
  GuardedTimer(ThreadFactory threads, UnaryOperator<Runnable> guard) {
    super(1, threads);
    this.guard = guard;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    return super.schedule(guard.apply(task), delay, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long first, long period, TimeUnit unit) {
    return super.scheduleAtFixedRate(guard.apply(task), first, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long first, long delay, TimeUnit unit) {
    return super.scheduleWithFixedDelay(guard.apply(task), first, delay, unit);
  }
}

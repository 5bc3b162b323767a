package dev.portolan.server;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Goes on with a call without a thread: whenever something may have happened, it takes a turn in
 * the event loop of the call's connection, writes what there is room for, and never waits.
 */
final class Pusher implements Runnable, Feed.Watcher {
  private final Conversation<?, ?> conversation;
  private final ScheduledExecutorService loop;
  private final Work work;
  private final Owner owner;
  private final AtomicBoolean due = new AtomicBoolean();
  private boolean over;
  private @Nullable ScheduledFuture<?> alarm;

  /** When there was first no room for what is due, by {@link System#nanoTime}; 0 where there is. */
  private long fullSince;

  /** What is written. */
  interface Work extends AutoCloseable {
    /** Notifies {@code follower} whenever there may be something to write. */
    void watch(Pusher follower);

    /** Notifies it no more. */
    void unwatch(Pusher follower);

    /** Whether there is something to write. */
    boolean isDue();

    /** Writes it, without waiting; returns false where that would take more than one message. */
    boolean write();

    /** Writes all of it, for a thread that may wait. */
    void catchUp();

    /** The call is over. */
    @Override
    void close();
  }

  /** Where the call goes on that a follower is done with. */
  interface Owner {
    /** There is more to write than one message. */
    void needsThread();

    /** The call is over; {@code failure} is null where the client wants no more. */
    void ended(@Nullable Throwable failure);
  }

  private Pusher(
      Conversation<?, ?> conversation, ScheduledExecutorService loop, Work work, Owner owner) {
    this.conversation = conversation;
    this.loop = loop;
    this.work = work;
    this.owner = owner;
  }

  /** Goes on with {@code conversation}, whose thread ends, in {@code loop}. */
  static void start(
      Conversation<?, ?> conversation, ScheduledExecutorService loop, Work work, Owner owner) {
    Pusher follower = new Pusher(conversation, loop, work, owner);
    work.watch(follower);
    conversation.handTo(follower);
  }

  @Override
  public void changed(Feed.State<?> newest) {
    run();
  }

  /** Takes a turn soon; any thread may say that. */
  @Override
  public void run() {
    if (!due.getAndSet(true)) {
      try {
        loop.execute(this::turn);
      } catch (RejectedExecutionException e) {
        // The server has stopped.
      }
    }
  }

  private void turn() {
    due.set(false);
    if (over) {
      return;
    }
    try {
      if (conversation.isOver()) {
        stop();
        owner.ended(null);
        return;
      }
      conversation.beatOn();
      while (work.isDue() && isRoom()) {
        if (!work.write()) {
          stop();
          conversation.handTo(null);
          owner.needsThread();
          return;
        }
      }
      setAlarm();
    } catch (RuntimeException | Error e) {
      stop();
      owner.ended(e);
    }
  }

  private boolean isRoom() {
    if (conversation.hasRoom()) {
      fullSince = 0;
      return true;
    }
    if (fullSince == 0) {
      fullSince = System.nanoTime();
      var _ = loop.schedule(this, conversation.stalled().toNanos(), TimeUnit.NANOSECONDS);
    } else if (System.nanoTime() - fullSince >= conversation.stalled().toNanos()) {
      throw conversation.unread();
    }
    return false;
  }

  /** Takes a turn when the next heartbeat is due. */
  private void setAlarm() {
    if (conversation.beats() && (alarm == null || alarm.isDone())) {
      alarm = loop.schedule(this, conversation.untilHeartbeat(), TimeUnit.NANOSECONDS);
    }
  }

  private void stop() {
    over = true;
    work.unwatch(this);
    if (alarm != null) {
      alarm.cancel(false);
    }
  }
}

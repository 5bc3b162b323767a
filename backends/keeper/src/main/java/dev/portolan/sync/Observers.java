package dev.portolan.sync;

import java.util.List;
import java.util.function.Consumer;

/** The observers of a keeper, each behind a guard: what one throws keeps no other from the news. */
record Observers(List<Observer> all) {
  void tell(Consumer<Observer> news) {
    for (Observer observer : all) {
      Guard.run("observer " + observer.getClass().getName(), () -> news.accept(observer));
    }
  }
}

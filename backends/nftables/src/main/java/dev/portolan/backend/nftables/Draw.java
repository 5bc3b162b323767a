package dev.portolan.backend.nftables;

import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.MaglevTable;
import dev.portolan.nftables.table.Statement;
import dev.portolan.nftables.table.Statement.SendBySlot;
import dev.portolan.nftables.table.Statement.SendToOne;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How a chain comes to the number of an endpoint. */
enum Draw {
  /** By chance, below a power of two; it is drawn again if no endpoint has the number. */
  PICK("pick", "draw", "endpoints"),

  /** From the client's address and port: a slot of the service's {@link MaglevTable}. */
  MAGLEV("maglev", "slot", "maglev"),

  /** The same from the address alone. */
  MAGLEV_ADDRESS("maglev-address", "address-slot", "maglev");

  private static final int DRAWS = 10;
  private static final int FEWEST_NUMBERS = 4;
  private static final List<Integer> SLOTS = MaglevTable.sizes();

  private final String word;
  private final String one;
  private final String map;

  Draw(String word, String one, String map) {
    this.word = word;
    this.one = one;
    this.map = map;
  }

  /** What does {@code kind}. */
  static Draw of(Balancing.Kind kind) {
    return switch (kind) {
      case RANDOM -> PICK;
      case MAGLEV -> MAGLEV;
      case MAGLEV_ADDRESS -> MAGLEV_ADDRESS;
    };
  }

  /** What chains are called that do it. */
  String word() {
    return word;
  }

  /** What chains are called that draw once. */
  String one() {
    return one;
  }

  /** What maps of its numbers are called; both kinds of slots share one. */
  String map() {
    return map;
  }

  /** What the maps hold, in words. */
  String what() {
    return this == PICK ? "by number" : "by slot of the client's hash";
  }

  /**
   * How many numbers there are to draw from: a power of two, at least {@code count}; slots are as
   * many as they are.
   */
  int numbers(int count) {
    if (this != PICK) {
      return count;
    }
    int fewest = Math.max(FEWEST_NUMBERS, count);
    int power = Integer.highestOneBit(fewest);
    return power == fewest ? power : power * 2;
  }

  /** {@code numbers}, and the sizes that may follow it after a change or preceded it. */
  List<Integer> around(int numbers) {
    if (this == PICK) {
      return numbers == FEWEST_NUMBERS
          ? List.of(numbers, numbers * 2)
          : List.of(numbers / 2, numbers, numbers * 2);
    }
    int place = SLOTS.indexOf(numbers);
    return SLOTS.subList(Math.max(0, place - 1), Math.min(SLOTS.size(), place + 2));
  }

  /**
   * From how many numbers a chain for {@code numbers} draws, time after time, until it has an
   * endpoint. The lower half of them is in use if there are two endpoints or more, and the first
   * always. A table of slots that shrinks under a packet has the first slots still.
   */
  List<Integer> draws(int numbers) {
    if (this == PICK) {
      List<Integer> draws = new ArrayList<>(Collections.nCopies(DRAWS, numbers));
      draws.addAll(List.of(numbers / 2, 1));
      return draws;
    }
    int fewest = SLOTS.getFirst();
    return numbers == fewest ? List.of(numbers) : List.of(numbers, fewest);
  }

  /** What sends a connection to the endpoint of the number that it draws, if there is one. */
  Statement send(Protocol protocol, boolean byAddress, int numbers, String in) {
    return switch (this) {
      case PICK -> new SendToOne(protocol, byAddress, numbers, in);
      case MAGLEV -> new SendBySlot(protocol, byAddress, true, numbers, in);
      case MAGLEV_ADDRESS -> new SendBySlot(protocol, byAddress, false, numbers, in);
    };
  }

  /** What a chain does that draws one of the numbers. */
  String comment(int numbers) {
    return switch (this) {
      case PICK -> "one of up to " + numbers + " endpoints; an unused number is drawn again";
      case MAGLEV -> "the endpoint of the client's address and port, in " + numbers + " slots";
      case MAGLEV_ADDRESS -> "the endpoint of the client's address, in " + numbers + " slots";
    };
  }
}

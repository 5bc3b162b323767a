package dev.portolan.text;

/**
 * Takes the values of a text one after the other, while it is being read, so that a large text need
 * not be there as one tree. What is taken counts only if the whole text could be read.
 */
public interface DocumentSink {
  /** More than any object that an API server stores, which has at most 1.5 MB. */
  long MOST_VALUES = 600_000;

  /**
   * Offers a member of a document's own list of items, and what is known of that document, which is
   * what comes before the items. Returns whether it was taken: then it is not in the document.
   */
  boolean item(Value item, Value list);

  /** A document that is not empty, without the items that were taken. */
  void document(Value document);

  /** How many values of one object may be in memory at once. */
  default long mostValues() {
    return MOST_VALUES;
  }

  /** Is called from time to time with how many characters were read. */
  default void reached(int characters) {}
}

package dev.portolan.text;

/**
 * Takes the values of a text one after the other, while it is being read, so that a large text need
 * not be there as one tree. What is taken counts only if the whole text could be read.
 */
public interface DocumentSink {
  /**
   * Offers a member of a document's own list of items; the rest of the document is not known yet.
   * Returns whether it was taken: then it is not in the document.
   */
  boolean item(Value item);

  /** A document that is not empty, without the items that were taken. */
  void document(Value document);

  /** Is called from time to time with how many characters were read. */
  default void reached(int characters) {}
}

package dev.portolan.text;

/**
 * Takes the values of a text one after the other, while it is being read, so that a large text need
 * not be there as one tree. What is taken counts only if the whole text could be read.
 */
public interface DocumentSink {
  /**
   * Offers an item of the list {@code items} at the top of a document; the rest of the document is
   * not known yet. Returns whether it was taken: then it is not in the document.
   */
  boolean item(Value item);

  /** A document that is not empty, without the items that were taken. */
  void document(Value document);
}

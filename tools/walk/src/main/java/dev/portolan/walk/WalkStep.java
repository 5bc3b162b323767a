package dev.portolan.walk;

/**
 * One rule that a packet met and that did something with it.
 *
 * @param place the table and chain, and the rule's number there: {@code ip portolan services 3}
 * @param rule the rule as its own tool writes it, as far as that is known
 * @param effect what it did, in a few words: {@code goto pick-3}, {@code dnat to 10.244.1.5:8080}
 */
public record WalkStep(String place, String rule, String effect) {}

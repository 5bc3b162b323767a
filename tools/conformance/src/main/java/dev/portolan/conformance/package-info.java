/**
 * The conformance kit: what the author of a backend points at it.
 *
 * <p>{@link dev.portolan.conformance.Conformance} has the exercises. A {@link
 * dev.portolan.conformance.Candidate} is what they are put to: a program, or a backend of Java.
 * Each exercise has a {@link dev.portolan.conformance.ExerciseStage} of its own, where it changes a
 * cluster and the candidate follows:
 *
 * <pre>
 *   Brain -- BrainServer -- RecordingProxy (a unix socket) -- candidate -- what it has programmed
 *                                |                                               |
 *                             Transcript                                  StateComparison
 * </pre>
 *
 * <p>The proxy hands on what both sides say, notes it, and holds it back, cuts it or starts it over
 * where an exercise asks for that.
 *
 * <p>{@code console} runs them for the command {@code portolan conformance}; {@code packets} has
 * the packet table, {@code clusters} what to try a backend with.
 *
 * <p>Part of the API for authors of backends: docs/writing-a-backend.md lists its public types.
 */
@NullMarked
package dev.portolan.conformance;

import org.jspecify.annotations.NullMarked;

/**
 * A small network in namespaces: a node under test with pods, another node with pods, a client
 * outside.
 *
 * <p>{@link dev.portolan.lab.Lab} builds it and takes it down, {@link dev.portolan.lab.Actor} is
 * its address plan, {@link dev.portolan.lab.Probe} sends the packets. Nothing here knows a service
 * or a backend; nothing here touches the root namespace.
 */
@NullMarked
package dev.portolan.lab;

import org.jspecify.annotations.NullMarked;

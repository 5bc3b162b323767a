/**
 * The whole program on the node of a lab, with a real API server behind it and the real kube-proxy
 * beside it.
 */
package dev.portolan.cli.lab;

/**
 * The API between our programs and others in Go, on another gRPC, that know of it what KPNG's know.
 */
package dev.portolan.cli.peers;

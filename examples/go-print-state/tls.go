package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// transport is plain, or TLS with certificates on both sides where there are any.
func transport() (credentials.TransportCredentials, error) {
	if *key == "" && *crt == "" && *ca == "" {
		return insecure.NewCredentials(), nil
	}
	own, err := tls.LoadX509KeyPair(*crt, *key)
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(*ca)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority) {
		return nil, fmt.Errorf("%s: there is no certificate in it", *ca)
	}
	return credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{own}, RootCAs: roots}), nil
}

package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// security is none, or TLS that lets in only clients with a certificate of the authority.
func security() ([]grpc.ServerOption, error) {
	if *key == "" && *crt == "" && *ca == "" {
		return nil, nil
	}
	own, err := tls.LoadX509KeyPair(*crt, *key)
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(*ca)
	if err != nil {
		return nil, err
	}
	clients := x509.NewCertPool()
	if !clients.AppendCertsFromPEM(authority) {
		return nil, fmt.Errorf("%s: there is no certificate in it", *ca)
	}
	config := &tls.Config{
		Certificates: []tls.Certificate{own},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    clients,
	}
	return []grpc.ServerOption{grpc.Creds(credentials.NewTLS(config))}, nil
}

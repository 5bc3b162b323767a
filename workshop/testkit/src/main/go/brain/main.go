// Brain serves what a file says, on grpc-go, as KPNG's brain does: without anything that Portolan
// adds, and without a Sync where there is nothing to say. Tests let Portolan's client follow it.
//
// The file is JSON: values by set and path, as in
//
//	{"ServicesSet": {"shop/web": {"Namespace": "shop", "Name": "web"}}}
//
// A line on standard input names the file that holds from then on. The brain ends with its input. It
// prints where it listens, and "asked" for each request: a client asks again when it has taken what
// was sent.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"portolan.dev/testkit/brain/globalv1"
	"portolan.dev/testkit/brain/localv1"
)

var (
	listen = flag.String("listen", "unix:///tmp/brain.sock", "unix:///path or tcp://host:port")
	key    = flag.String("tls-key", "", "own key")
	crt    = flag.String("tls-crt", "", "own certificate")
	ca     = flag.String("tls-ca", "", "the authority that signed the clients' certificates")
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("brain: ")
	flag.Parse()
	content := &store{}
	if err := content.load(flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
	options, err := security()
	if err != nil {
		log.Fatal(err)
	}
	network, address, _ := strings.Cut(*listen, "://")
	if network == "unix" {
		_ = os.Remove(address) // What a brain before this one left.
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer(options...)
	for _, service := range services(content) {
		server.RegisterService(service, nil)
	}
	go func() {
		log.Fatal(server.Serve(listener))
	}()
	fmt.Println("listening on", listener.Addr())
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if err := content.load(lines.Text()); err != nil {
			log.Fatal(err)
		}
		fmt.Println("serving", lines.Text())
	}
}

// services has the two streams, under their names of today and those of KPNG's older programs.
func services(content *store) []*grpc.ServiceDesc {
	described := []*grpc.ServiceDesc{}
	add := func(name string, watch grpc.StreamHandler) {
		stream := grpc.StreamDesc{StreamName: "Watch", Handler: watch, ServerStreams: true, ClientStreams: true}
		described = append(described, &grpc.ServiceDesc{ServiceName: name, Streams: []grpc.StreamDesc{stream}})
	}
	local := func(_ any, stream grpc.ServerStream) error {
		return watch(content, stream, &localv1.WatchReq{}, localOrder)
	}
	global := func(_ any, stream grpc.ServerStream) error {
		return watch(content, stream, &globalv1.GlobalWatchReq{}, globalOrder)
	}
	add("localv1.Sets", local)
	add("localnetv1.Endpoints", local)
	add("globalv1.Sets", global)
	add("localnetv1.Global", global)
	return described
}

// read is the content of a file, encoded.
func read(file string) (map[localv1.Set]map[string][]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var trees map[string]map[string]json.RawMessage
	if err := json.Unmarshal(text, &trees); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	sets := map[localv1.Set]map[string][]byte{}
	for name, values := range trees {
		set := localv1.Set(localv1.Set_value[name])
		sets[set] = map[string][]byte{}
		for path, tree := range values {
			message := emptyOf(set)
			if message == nil {
				return nil, fmt.Errorf("%s: there is no set %s", file, name)
			}
			if err := protojson.Unmarshal(tree, message); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", file, path, err)
			}
			if sets[set][path], err = proto.Marshal(message); err != nil {
				return nil, err
			}
		}
	}
	return sets, nil
}

func emptyOf(set localv1.Set) proto.Message {
	switch set {
	case localv1.Set_ServicesSet:
		return &localv1.Service{}
	case localv1.Set_EndpointsSet:
		return &localv1.Endpoint{}
	case localv1.Set_GlobalServiceInfos:
		return &globalv1.ServiceInfo{}
	case localv1.Set_GlobalEndpointInfos:
		return &globalv1.EndpointInfo{}
	case localv1.Set_GlobalNodeInfos:
		return &globalv1.NodeInfo{}
	}
	return nil
}

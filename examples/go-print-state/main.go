// Print-state follows what a brain decides for a node, and prints the whole state whenever it is
// complete. It knows what KPNG's clients know, and nothing of what Portolan adds.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/print-state/globalv1"
	"example.com/print-state/localv1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// A held is what the client has of one view: of a node, or of the cluster.
type held interface {
	reset()
	set(value *localv1.Value) error
	delete(ref *localv1.Ref) error
	// lines are those of the whole state, in the order of their paths.
	lines(asJSON bool) ([]string, error)
}

var (
	api    = flag.String("api", "unix:///run/portolan/api.sock", "where the brain listens: unix:///path or host:port")
	node   = flag.String("node", "", "the node to follow (default: this host's name)")
	method = flag.String("method", "", "the method to call, where it is not the usual one")
	once   = flag.Bool("once", false, "end after one state")
	asJSON = flag.Bool("json", false, "print one line of JSON for each service")
	ops    = flag.Bool("ops", false, "print requests and items as they go and come, to standard error")
	key    = flag.String("tls-key", "", "own key, where the brain is behind host:port")
	crt    = flag.String("tls-crt", "", "own certificate")
	ca     = flag.String("tls-ca", "", "the authority that signed the brain's certificate")
)

func main() {
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "usage: print-state [global] [flags]\n\n")
		flag.PrintDefaults()
	}
	args := os.Args[1:]
	global := len(args) > 0 && args[0] == "global"
	if global {
		args = args[1:]
	}
	_ = flag.CommandLine.Parse(args) // It ends the program where the flags are wrong.
	if err := run(global); err != nil {
		fmt.Fprintln(os.Stderr, "print-state:", err)
		os.Exit(1)
	}
}

func run(global bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	transport, err := transport()
	if err != nil {
		return err
	}
	conn, err := grpc.NewClient(*api, grpc.WithTransportCredentials(transport))
	if err != nil {
		return err
	}
	defer conn.Close()
	for {
		if global {
			err = follow(ctx, conn, "/globalv1.Sets/Watch", &globalv1.GlobalWatchReq{}, &clusterState{})
		} else {
			err = follow(ctx, conn, "/localv1.Sets/Watch", &localv1.WatchReq{NodeName: nodeName()}, &nodeState{})
		}
		if *once || ctx.Err() != nil || errors.As(err, new(wrong)) {
			return err
		}
		fmt.Fprintln(os.Stderr, "print-state:", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// follow asks for one set of changes after another, and prints the state after each.
func follow(ctx context.Context, conn *grpc.ClientConn, usual string, request proto.Message, state held) error {
	name := usual
	if *method != "" {
		name = *method
	}
	both := &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
	stream, err := conn.NewStream(ctx, both, name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for number := 1; ; number++ {
		trace("> %s%s", request.ProtoReflect().Descriptor().FullName(), quotedNode(request))
		if err := stream.SendMsg(request); err != nil && err != io.EOF {
			return err
		}
		if err := receive(stream, state); err != nil {
			return endOf(ctx, err)
		}
		lines, err := state.lines(*asJSON)
		if err != nil {
			return err
		}
		for _, line := range lines {
			fmt.Fprintln(out, line)
		}
		if *asJSON {
			fmt.Fprintf(out, "{\"sync\":%d}\n", number)
		} else {
			fmt.Fprintf(out, "-- %d\n", number)
		}
		if err := out.Flush(); err != nil || *once {
			return err
		}
	}
}

// receive takes items until the changes are complete.
func receive(stream grpc.ClientStream, state held) error {
	for {
		item := &localv1.OpItem{}
		if err := stream.RecvMsg(item); err != nil {
			return err
		}
		var err error
		switch op := item.Op.(type) {
		case *localv1.OpItem_Reset_:
			trace("< Reset")
			state.reset()
		case *localv1.OpItem_Set:
			trace("< Set %s %s", op.Set.Ref.Set, op.Set.Ref.Path)
			err = state.set(op.Set)
		case *localv1.OpItem_Delete:
			trace("< Delete %s %s", op.Delete.Set, op.Delete.Path)
			err = state.delete(op.Delete)
		case *localv1.OpItem_Sync:
			trace("< Sync")
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// endOf is the reason of an end, and none where the user wanted it.
func endOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func nodeName() string {
	if *node != "" {
		return *node
	}
	name, _ := os.Hostname()
	return name
}

// quotedNode is what a request for one node says more than its type.
func quotedNode(request proto.Message) string {
	if watch, local := request.(*localv1.WatchReq); local {
		return fmt.Sprintf(" NodeName: %q", watch.NodeName)
	}
	return ""
}

func trace(format string, values ...any) {
	if *ops {
		fmt.Fprintf(os.Stderr, format+"\n", values...)
	}
}

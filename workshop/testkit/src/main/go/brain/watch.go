package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"portolan.dev/testkit/brain/localv1"
)

// What is set in this order is deleted in the opposite one.
var (
	localOrder  = []localv1.Set{localv1.Set_ServicesSet, localv1.Set_EndpointsSet}
	globalOrder = []localv1.Set{localv1.Set_GlobalNodeInfos, localv1.Set_GlobalServiceInfos, localv1.Set_GlobalEndpointInfos}
)

type content map[localv1.Set]map[string][]byte

// A store has what is served now.
type store struct {
	lock    sync.Mutex
	now     content
	changed chan struct{}
}

func (s *store) load(file string) error {
	sets, err := read(file)
	if err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.changed != nil {
		close(s.changed)
	}
	s.now, s.changed = sets, make(chan struct{})
	return nil
}

// get is what is served, and a channel that is closed when something else is.
func (s *store) get() (content, <-chan struct{}) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.now, s.changed
}

// watch answers each request with one set of changes, when there are any.
func watch(from *store, stream grpc.ServerStream, request proto.Message, order []localv1.Set) error {
	held := content{}
	for first := true; ; first = false {
		if err := stream.RecvMsg(request); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		fmt.Println("asked")
		if first {
			if err := stream.SendMsg(&localv1.OpItem{Op: &localv1.OpItem_Reset_{Reset_: &localv1.EmptyOp{}}}); err != nil {
				return err
			}
		}
		now, items, err := next(stream.Context(), from, held, order)
		if err != nil {
			return err
		}
		for _, item := range items {
			if err := stream.SendMsg(item); err != nil {
				return err
			}
		}
		held = now
	}
}

// next waits until something differs from what the client holds.
func next(ctx context.Context, from *store, held content, order []localv1.Set) (content, []*localv1.OpItem, error) {
	for {
		now, changed := from.get()
		if items := changes(held, now, order); len(items) > 0 {
			return now, append(items, &localv1.OpItem{Op: &localv1.OpItem_Sync{Sync: &localv1.EmptyOp{}}}), nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

func changes(held, now content, order []localv1.Set) []*localv1.OpItem {
	items := []*localv1.OpItem{}
	for _, set := range order {
		for _, path := range slices.Sorted(maps.Keys(now[set])) {
			if old, there := held[set][path]; !there || !bytes.Equal(old, now[set][path]) {
				value := &localv1.Value{Ref: &localv1.Ref{Set: set, Path: path}, Bytes: now[set][path]}
				items = append(items, &localv1.OpItem{Op: &localv1.OpItem_Set{Set: value}})
			}
		}
	}
	for _, set := range slices.Backward(order) {
		for _, path := range slices.Backward(slices.Sorted(maps.Keys(held[set]))) {
			if _, stays := now[set][path]; !stays {
				ref := &localv1.Ref{Set: set, Path: path}
				items = append(items, &localv1.OpItem{Op: &localv1.OpItem_Delete{Delete: ref}})
			}
		}
	}
	return items
}

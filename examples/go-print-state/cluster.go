package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/print-state/globalv1"
	"example.com/print-state/localv1"
	"google.golang.org/protobuf/proto"
)

// Whatever comes over the global stream has a hash that differs whenever anything else in it does.
type hashed interface {
	proto.Message
	GetHash() uint64
}

// A clusterState has services, endpoints and nodes by path.
type clusterState struct{ values map[string]hashed }

func (s *clusterState) reset() { s.values = map[string]hashed{} }

// set fails on sets other than those three, and forgets values with the hash that is there already:
// KPNG's brains do both.
func (s *clusterState) set(value *localv1.Value) error {
	message := emptyOf(value.Ref.Set)
	if strings.Count(value.Ref.Path, "|") < 3 {
		panic("a path with less than four parts: " + value.Ref.Path)
	}
	if err := proto.Unmarshal(value.Bytes, message); err != nil {
		return err
	}
	there, known := s.values[name(value.Ref)]
	if !known || there.GetHash() != message.GetHash() {
		s.values[name(value.Ref)] = message
	}
	return nil
}

func (s *clusterState) delete(ref *localv1.Ref) error {
	emptyOf(ref.Set)
	if _, there := s.values[name(ref)]; !there {
		return wrong("deleted, and was not there: " + name(ref))
	}
	delete(s.values, name(ref))
	return nil
}

func emptyOf(set localv1.Set) hashed {
	switch set {
	case localv1.Set_GlobalServiceInfos:
		return &globalv1.ServiceInfo{}
	case localv1.Set_GlobalEndpointInfos:
		return &globalv1.EndpointInfo{}
	case localv1.Set_GlobalNodeInfos:
		return &globalv1.NodeInfo{}
	}
	panic("a set that KPNG does not know: " + set.String())
}

func name(ref *localv1.Ref) string { return fmt.Sprintf("%d %s", ref.Set, ref.Path) }

type infoLine struct {
	Path     string        `json:"path"`
	Service  *serviceLine  `json:"service,omitempty"`
	Endpoint *endpointLine `json:"endpoint,omitempty"`
	Of       string        `json:"of,omitempty"`
	Slice    string        `json:"slice,omitempty"`
	Pod      string        `json:"pod,omitempty"`
	Ready    bool          `json:"ready,omitempty"`
	Node     string        `json:"node,omitempty"`
	Zone     string        `json:"zone,omitempty"`
	Zones    []string      `json:"zones,omitempty"`
}

func (s *clusterState) lines(asJSON bool) ([]string, error) {
	lines := []string{}
	for _, key := range slices.Sorted(maps.Keys(s.values)) {
		line := infoOf(key[strings.Index(key, " ")+1:], s.values[key])
		if asJSON {
			lines = append(lines, toJSON(line))
		} else {
			lines = append(lines, line.text()...)
		}
	}
	return lines, nil
}

func infoOf(path string, value hashed) *infoLine {
	line := &infoLine{Path: path}
	switch info := value.(type) {
	case *globalv1.ServiceInfo:
		line.Service = lineOf(info.Service.Namespace+"/"+info.Service.Name, info.Service)
	case *globalv1.EndpointInfo:
		line.Endpoint = endpointOf("", info.Endpoint)
		line.Of = info.Namespace + "/" + info.ServiceName
		line.Slice, line.Pod = info.SourceName, info.PodName
		line.Ready = info.Conditions == nil || info.Conditions.Ready
		line.Node, line.Zone = info.Topology.Node, info.Topology.Zone
		line.Zones = info.GetHints().GetZones()
	case *globalv1.NodeInfo:
		line.Node, line.Zone = info.Node.Name, info.Node.Topology.Zone
	}
	return line
}

func (l *infoLine) text() []string {
	switch {
	case l.Service != nil:
		return l.Service.text()
	case l.Endpoint != nil:
		return []string{fmt.Sprintf("%s <- %s of %s on %q, ready: %t", l.Of, l.Endpoint.text(), l.Slice, l.Node, l.Ready)}
	}
	return []string{fmt.Sprintf("node %s in %q", l.Node, l.Zone)}
}

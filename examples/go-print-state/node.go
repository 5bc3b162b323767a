package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"example.com/print-state/localv1"
	"google.golang.org/protobuf/proto"
)

// wrong says that the brain broke a rule; asking again would not help.
type wrong string

func (w wrong) Error() string { return string(w) }

// A nodeState has services and endpoints by path.
type nodeState struct{ values map[string]proto.Message }

func (s *nodeState) reset() { s.values = map[string]proto.Message{} }

func (s *nodeState) set(value *localv1.Value) error {
	var message proto.Message
	switch value.Ref.Set {
	case localv1.Set_ServicesSet:
		message = &localv1.Service{}
	case localv1.Set_EndpointsSet:
		message = &localv1.Endpoint{}
	default:
		return nil // A set that other clients want.
	}
	s.values[value.Ref.Path] = message
	return proto.Unmarshal(value.Bytes, message)
}

func (s *nodeState) delete(ref *localv1.Ref) error {
	if _, there := s.values[ref.Path]; !there {
		return wrong("deleted, and was not there: " + ref.Path)
	}
	delete(s.values, ref.Path)
	return nil
}

// The paths of a service's endpoints begin with its own: in this order they come right after it.
func (s *nodeState) paths() []string {
	paths := make([]string, 0, len(s.values))
	for path := range s.values {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int {
		return strings.Compare(strings.ReplaceAll(a, "/", "\x00"), strings.ReplaceAll(b, "/", "\x00"))
	})
	return paths
}

func (s *nodeState) lines(asJSON bool) ([]string, error) {
	services := []*serviceLine{}
	for _, path := range s.paths() {
		switch value := s.values[path].(type) {
		case *localv1.Service:
			services = append(services, lineOf(path, value))
		case *localv1.Endpoint:
			last := len(services) - 1
			if last < 0 || !strings.HasPrefix(path, services[last].Path+"/") {
				return nil, wrong("an endpoint without its service: " + path)
			}
			services[last].Endpoints = append(services[last].Endpoints, endpointOf(path, value))
		}
	}
	lines := []string{}
	for _, service := range services {
		if asJSON {
			lines = append(lines, toJSON(service))
		} else {
			lines = append(lines, service.text()...)
		}
	}
	return lines, nil
}

type serviceLine struct {
	Path                string          `json:"path"`
	Type                string          `json:"type"`
	ClusterIPs          []string        `json:"clusterIPs"`
	ExternalIPs         []string        `json:"externalIPs"`
	LoadBalancerIPs     []string        `json:"loadBalancerIPs"`
	SourceRanges        []string        `json:"sourceRanges"`
	Ports               []portLine      `json:"ports"`
	InternalLocal       bool            `json:"internalLocal"`
	ExternalLocal       bool            `json:"externalLocal"`
	AffinitySeconds     int32           `json:"affinitySeconds"`
	HealthCheckNodePort int32           `json:"healthCheckNodePort"`
	Endpoints           []*endpointLine `json:"endpoints"`
}

type portLine struct {
	Name       string `json:"name"`
	Protocol   string `json:"protocol"`
	Port       int32  `json:"port"`
	NodePort   int32  `json:"nodePort"`
	TargetPort int32  `json:"targetPort"`
}

type endpointLine struct {
	Path     string     `json:"path"`
	IPs      []string   `json:"ips"`
	Ports    []namedOne `json:"ports"`
	Local    bool       `json:"local"`
	Internal bool       `json:"internal"`
	External bool       `json:"external"`
}

type namedOne struct {
	Name string `json:"name"`
	Port int32  `json:"port"`
}

// lineOf reads IPs and their first two sets without a look whether they are there, as KPNG's
// backends do.
func lineOf(path string, service *localv1.Service) *serviceLine {
	line := &serviceLine{
		Path: path, Type: service.Type,
		ClusterIPs:      append(append([]string{}, service.IPs.ClusterIPs.V4...), service.IPs.ClusterIPs.V6...),
		ExternalIPs:     append(append([]string{}, service.IPs.ExternalIPs.V4...), service.IPs.ExternalIPs.V6...),
		LoadBalancerIPs: all(service.IPs.LoadBalancerIPs),
		SourceRanges:    []string{}, Ports: []portLine{}, Endpoints: []*endpointLine{},
		InternalLocal: service.InternalTrafficToLocal, ExternalLocal: service.ExternalTrafficToLocal,
		AffinitySeconds:     service.GetClientIP().GetTimeoutSeconds(),
		HealthCheckNodePort: service.HealthCheckNodePort,
	}
	for _, filter := range service.IPFilters {
		line.SourceRanges = append(line.SourceRanges, filter.SourceRanges...)
	}
	for _, p := range service.Ports {
		line.Ports = append(line.Ports, portLine{p.Name, p.Protocol.String(), p.Port, p.NodePort, p.TargetPort})
	}
	return line
}

func endpointOf(path string, endpoint *localv1.Endpoint) *endpointLine {
	line := &endpointLine{
		Path: path, IPs: append(append([]string{}, endpoint.IPs.V4...), endpoint.IPs.V6...), Ports: []namedOne{},
		Local: endpoint.Local, Internal: endpoint.GetScopes().GetInternal(), External: endpoint.GetScopes().GetExternal(),
	}
	for _, p := range endpoint.PortOverrides {
		line.Ports = append(line.Ports, namedOne{p.Name, p.Port})
	}
	return line
}

func all(set *localv1.IPSet) []string {
	return append(append([]string{}, set.GetV4()...), set.GetV6()...)
}

func (s *serviceLine) text() []string {
	ips := slices.Concat(s.ClusterIPs, s.ExternalIPs, s.LoadBalancerIPs)
	lines := []string{fmt.Sprintf("%s %s %s", s.Path, s.Type, strings.Join(ips, " "))}
	for _, p := range s.Ports {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("  %d/%s %s", p.Port, p.Protocol, p.Name), " "))
	}
	for _, e := range s.Endpoints {
		lines = append(lines, "  -> "+e.text())
	}
	return lines
}

func (e *endpointLine) text() string {
	text := strings.Join(e.IPs, " ")
	for _, p := range e.Ports {
		text += fmt.Sprintf(" %s:%d", p.Name, p.Port)
	}
	for _, word := range []struct {
		is   bool
		name string
	}{{e.Internal, "internal"}, {e.External, "external"}, {e.Local, "local"}} {
		if word.is {
			text += " " + word.name
		}
	}
	return text
}

func toJSON(value any) string {
	line, err := json.Marshal(value)
	if err != nil {
		panic(err) // Strings, numbers and lists of them have a form in JSON.
	}
	return string(line)
}

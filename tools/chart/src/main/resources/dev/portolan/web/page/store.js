// What the page knows of the cluster, and the listeners to its changes.
// Changes are applied at once; listeners are notified of all of them together, once per frame.

const KEPT_CHANGES = 1000;

/** The cluster as last heard. Rows are replaced, never changed, so 'same object' means 'same row'. */
export const cluster = {
  overview: null,
  reading: null,
  revision: 0,
  services: new Map(),
  nodes: new Map(),
  changes: [],
  heard: 0,
};

/** The nodes that can be looked from, in order: a daemon's own, or all that have an object. */
export function nodeNames() {
  if (cluster.overview.node) return [cluster.overview.node];
  return [...cluster.nodes.values()].filter((node) => node.addresses.length).map((node) => node.name).sort();
}

/** The zones that nodes are in, in order. */
export function zones() {
  return [...new Set([...cluster.nodes.values()].map((node) => node.zone).filter(Boolean))].sort();
}

/** The namespaces that have services, in order. */
export function namespaces() {
  return [...new Set([...cluster.services.values()].map((row) => row.namespace))].sort();
}

/** All services by name; sorted only when one came or went. */
export function services() {
  order ??= [...cluster.services.keys()].sort();
  return order.map((id) => cluster.services.get(id));
}

let order = null;
const listeners = new Set();
let touched = news();
let frame = 0;

function news() {
  return {all: false, services: new Set(), nodes: new Set(), changes: 0};
}

/** Calls back after changes, with what was touched; answers how to stop that. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell() {
  if (frame) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    const told = touched;
    touched = news();
    for (const listener of [...listeners]) listener(told);
  });
}

/** Takes the whole cluster. */
export function replaceAll(overview, services, nodes) {
  cluster.overview = overview;
  cluster.reading = overview.reading;
  cluster.revision = services.revision;
  order = null;
  cluster.services = new Map(services.services.map((row) => [row.id, row]));
  cluster.nodes = new Map(nodes.nodes.map((row) => [row.name, row]));
  touched.all = true;
  tell();
}

/** Takes how the reading of the cluster goes. */
export function read(reading) {
  cluster.reading = reading;
  tell();
}

/** Takes one change of the stream. */
export function apply(event) {
  cluster.reading = event.reading;
  cluster.revision = Math.max(cluster.revision, event.revision);
  for (const row of event.services ?? []) {
    if (!cluster.services.has(row.id)) order = null;
    cluster.services.set(row.id, row);
    touched.services.add(row.id);
  }
  for (const id of event.removed ?? []) {
    if (cluster.services.delete(id)) order = null;
    touched.services.add(id);
  }
  for (const row of event.nodes ?? []) {
    cluster.nodes.set(row.name, row);
    touched.nodes.add(row.name);
  }
  for (const name of event.nodesRemoved ?? []) {
    cluster.nodes.delete(name);
    touched.nodes.add(name);
  }
  for (const change of event.changes ?? []) {
    cluster.changes.push({...change, revision: event.revision, at: event.at, number: ++cluster.heard});
    touched.changes++;
  }
  if (cluster.changes.length > KEPT_CHANGES) {
    cluster.changes.splice(0, cluster.changes.length - KEPT_CHANGES);
  }
  tell();
}

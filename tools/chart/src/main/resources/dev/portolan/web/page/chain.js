// Draws the way of a connection: client, address, endpoints grouped by zone and node.

import {count, s} from './dom.js';
import {verdictKind, verdictWord} from './marks.js';
import {link} from './router.js';

const LINE = 24;
const PER_NODE = 6;
const MOST = 48;
const CHARACTER = 7.3;

/** The drawing of one port, as wide as asked. */
export function chain(service, port, width) {
  const lanes = lanesOf(port);
  const draw = width < 680 ? tall : wide;
  const [height, drawing] = draw(lanes, (endpoints) => grouped(merged(endpoints), service.node), width);
  const addresses = port.addresses.map((one) => `${one.address} is ${verdictWord(one.verdict)}`).join('; ');
  const label = `Seen from ${service.node}: ${addresses}. ${tally(port.endpoints)} used.`;
  return s('svg', {class: 'chain', role: 'img', 'aria-label': label, viewBox: `0 0 ${width} ${height}`, width, height}, drawing);
}

/** How many endpoints are used, each pod once per family: "2 of 3", "2 of 3 (IPv4) + 3 of 3 (IPv6)". */
export function tally(endpoints) {
  const counts = familiesOf(endpoints).map((family) => {
    const mine = endpoints.filter((one) => one.family === family);
    return [family, `${count(mine.filter((one) => one.used).length)} of ${count(mine.length)}`];
  });
  if (counts.length === 0) return '0 of 0';
  return counts.map(([family, words]) => (counts.length > 1 ? `${words} (${family})` : words)).join(' + ');
}

function familiesOf(things) {
  return [...new Set(things.map((one) => one.family))].sort();
}

// Connections of a family stay in it, so each has addresses, a compass and endpoints of its own.
function lanesOf(port) {
  // A nodePort of a node without addresses is of no family.
  const known = familiesOf(port.addresses).filter(Boolean);
  const families = known.length ? known : [''];
  const many = families.length > 1;
  return families.map((family) => {
    const endpoints = many ? port.endpoints.filter((one) => one.family === family) : port.endpoints;
    const addresses = port.addresses.filter((one) => (one.family || families[0]) === family);
    const words = `${endpoints.filter((one) => one.used).length} of ${endpoints.length}${many ? ` ${family}` : ''}`;
    return {family: many ? family : '', addresses, endpoints, words};
  });
}

// Zones, their nodes, and what is drawn of these; the node one looks from comes first.
function grouped(endpoints, from) {
  const zones = new Map();
  for (const endpoint of endpoints) {
    const nodes = entry(zones, endpoint.zone || '', () => new Map());
    entry(nodes, endpoint.node || '', () => []).push(endpoint);
  }
  let room = MOST;
  return [...zones].sort(([a], [b]) => (a < b ? -1 : 1)).map(([zone, nodes]) => ({
    zone,
    nodes: [...nodes].sort(([a], [b]) => (b === from) - (a === from) || (a < b ? -1 : 1)).map(([node, all]) => {
      all.sort((a, b) => b.used - a.used);
      const drawn = all.slice(0, Math.min(PER_NODE, Math.max(room, 0)));
      room -= drawn.length;
      return {node, here: node === from && node !== '', drawn, more: all.length - drawn.length};
    }),
  }));
}

function entry(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

// A pod with an address in each family is one thing with two addresses.
function merged(endpoints) {
  const all = new Map();
  for (const endpoint of endpoints) {
    const key = `${endpoint.pod || endpoint.address} ${endpoint.port} ${endpoint.used} ${endpoint.why}`;
    const one = entry(all, key, () => ({...endpoint, others: [], families: new Set()}));
    one.others.push(joined(endpoint));
    one.families.add(endpoint.family);
  }
  return [...all.values()];
}

function wide(lanes, group, width) {
  const groups = group(lanes.flatMap((lane) => lane.endpoints));
  const boxed = lanes.reduce((sum, lane) => sum + lane.addresses.length, 0);
  const right = Math.max(330, Math.round(width * 0.43));
  const box = {client: 116, address: Math.min(250, Math.round(width * 0.26))};
  const addressX = box.client + 58;
  const groupX = width - right;
  const stack = boxed * 58 - 12;
  // The words below the last compass may be lower than its box.
  const tallest = Math.max(heightOf(groups), stack + 24, 70);
  const places = drawGroups(groups, groupX, (tallest - heightOf(groups)) / 2, right);
  const middle = tallest / 2;
  const hubX = Math.round((addressX + box.address + groupX) / 2) + 6;

  const lines = [];
  const boxes = [clientBox(0, middle - 23, box.client)];
  let y = middle - stack / 2;
  for (const lane of lanes) {
    const hubY = y + (lane.addresses.length * 58 - 12) / 2;
    for (const address of lane.addresses) {
      const at = y + 23;
      const kind = verdictKind(address.verdict);
      lines.push(s('path', {class: `way ${kind}`, d: curve(box.client, middle, addressX, at)}),
        kind === 'good'
          ? s('path', {class: 'way good', d: curve(addressX + box.address, at, hubX - 13, hubY)})
          : stop(kind, addressX + box.address, at));
      boxes.push(addressBox(address, addressX, y, box.address));
      y += 58;
    }
    if (forwards(lane)) {
      for (const dot of raysOf(places, lane)) {
        lines.push(s('path', {class: 'ray', d: curve(hubX + 13, hubY, dot.x - 6, dot.y)}));
      }
      boxes.push(rose(hubX, hubY),
        s('text', {class: 'small', x: hubX, y: hubY + 28, 'text-anchor': 'middle'}, lane.words));
    }
  }
  return [tallest, [places.zones, lines, boxes, places.names]];
}

// Each family below the one before.
function tall(lanes, group, width) {
  let y = 0;
  const drawn = lanes.map((lane) => {
    const [height, drawing] = tallLane(lane, group(lane.endpoints), width);
    const part = s('g', {transform: `translate(0 ${y})`}, drawing);
    y += height + 22;
    return part;
  });
  return [Math.max(0, y - 22), drawn];
}

function tallLane(port, groups, width) {
  const boxes = [clientBox(0, 0, width)];
  const lines = [];
  let y = 66;
  for (const address of port.addresses) {
    lines.push(s('path', {class: `way ${verdictKind(address.verdict)}`, d: `M14 ${y - 22} V${y + 4}`}));
    boxes.push(addressBox(address, 0, y, width));
    y += 58;
  }
  const hubY = y + 12;
  const places = drawGroups(groups, 30, y + 36, width - 30);
  if (forwards(port)) {
    const dots = raysOf(places, port);
    for (const dot of dots) lines.push(s('path', {class: 'ray', d: `M14 ${dot.y} H${dot.x - 6}`}));
    lines.push(s('path', {class: 'way good', d: `M14 ${hubY - 26} V${dots.length ? dots.at(-1).y : hubY}`}));
    boxes.push(rose(14, hubY), s('text', {class: 'small', x: 34, y: hubY + 4}, port.words));
  }
  return [y + 36 + heightOf(groups), [places.zones, lines, boxes, places.names]];
}

function raysOf(places, lane) {
  return places.dots.filter((dot) => dot.used && (!lane.family || dot.families.has(lane.family)));
}

function forwards(lane) {
  return lane.addresses.some((one) => verdictKind(one.verdict) === 'good');
}

function linesOf(nodes) {
  return nodes.reduce((sum, one) => sum + 1 + one.drawn.length + (one.more ? 1 : 0), 0);
}

function heightOf(groups) {
  return groups.length ? groups.reduce((sum, {nodes}) => sum + 42 + linesOf(nodes) * LINE, -8) : 60;
}

function drawGroups(groups, x, top, width) {
  const dots = [];
  const zones = [];
  const names = [];
  let y = top;
  for (const {zone, nodes} of groups) {
    const height = 32 + linesOf(nodes) * LINE;
    zones.push(s('rect', {class: 'zone', x, y: y + 1, width: width - 1, height, rx: 8}));
    names.push(s('text', {class: 'zone-name', x: x + 12, y: y + 20}, zone || 'no zone'));
    let at = y + 26;
    for (const {node, here, drawn, more} of nodes) {
      names.push(nodeName(node, here, x + 12, at + 16, width));
      at += LINE;
      for (const endpoint of drawn) {
        dots.push({x: x + 20, y: at + 12, used: endpoint.used, families: endpoint.families});
        names.push(endpointLine(endpoint, x + 20, at + 12, width - 32));
        at += LINE;
      }
      if (more) {
        names.push(s('text', {class: 'small', x: x + 34, y: at + 16}, `and ${more} more`));
        at += LINE;
      }
    }
    y += height + 10;
  }
  if (!groups.length) {
    zones.push(s('rect', {class: 'zone', x, y: y + 1, width: width - 1, height: 58, rx: 8}));
    names.push(s('text', {class: 'node-name', x: x + 16, y: y + 35}, 'no endpoints'));
  }
  return {dots, zones, names};
}

function nodeName(node, here, x, y, width) {
  const label = s('text', {class: 'node-name', x, y}, fit(node || 'not on a node', width - (here ? 130 : 40)),
    here && s('tspan', {class: 'here', dx: 8}, 'seen from here'));
  return node ? s('a', {href: link('node', {name: node})}, label) : label;
}

function endpointLine(endpoint, x, y, width) {
  const address = joined(endpoint);
  const room = width - 24 - address.length * CHARACTER - 12;
  const pod = (endpoint.pod || '').split('/').at(-1);
  const both = endpoint.others.length > 1 ? `${pod}, ${endpoint.others.length} addresses` : pod;
  const words = endpoint.used || !endpoint.why ? (both.length * CHARACTER > room ? pod : both) : endpoint.why;
  return s('g', {class: endpoint.used ? 'endpoint used' : 'endpoint out'},
    s('title', {}, [...endpoint.others, endpoint.pod, endpoint.why].filter(Boolean).join(', ')),
    s('circle', {cx: x, cy: y, r: 4.5}),
    s('text', {class: 'address', x: x + 14, y: y + 4}, fit(address, width - 24)),
    room > 50 && s('text', {class: 'reason', x: x + 14 + address.length * CHARACTER + 12, y: y + 4}, fit(words, room)));
}

function clientBox(x, y, width) {
  return s('g', {class: 'client'}, s('rect', {x: x + 1, y, width: width - 2, height: 46, rx: 8}),
    s('text', {class: 'node-name', x: x + 14, y: y + 28}, 'a client'));
}

function addressBox(address, x, y, width) {
  return s('g', {class: `at ${verdictKind(address.verdict)}`},
    s('title', {}, address.sentence || address.address),
    s('rect', {x: x + 1, y, width: width - 2, height: 46, rx: 8}),
    s('text', {class: 'address', x: x + 14, y: y + 20}, fit(address.address, width - 24)),
    s('text', {class: 'small', x: x + 14, y: y + 37}, fit(`${address.kind}, ${verdictWord(address.verdict)}`, width - 24)));
}

/** An address and its port, as one writes them. */
export function joined(endpoint) {
  if (!endpoint.port) return endpoint.address;
  return endpoint.address.includes(':') ? `[${endpoint.address}]:${endpoint.port}` : `${endpoint.address}:${endpoint.port}`;
}

function stop(kind, x, y) {
  return s('path', {class: `stop ${kind}`, d: `M${x} ${y} h10 m-1 -6 l12 12 m0 -12 l-12 12`});
}

function rose(x, y) {
  return s('g', {class: 'rose'}, s('circle', {cx: x, cy: y, r: 13}),
    s('path', {d: `M${x} ${y - 11} l3 8 8 3 -8 3 -3 8 -3 -8 -8 -3 8 -3z`}));
}

function curve(x1, y1, x2, y2) {
  const bend = (x2 - x1) / 2;
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function fit(words, room) {
  const most = Math.max(1, Math.floor(room / CHARACTER));
  return words.length <= most ? words : words.slice(0, most - 1) + '…';
}

// Builds elements. Text only ever becomes text nodes, so a name cannot become markup.

const SVG = 'http://www.w3.org/2000/svg';

/** An HTML element: h('a', {href, class, onclick}, child, ...). */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** An SVG element. */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  add(element, children);
  return element;
}

/** Appends children: elements, text, lists of these; null and false add nothing. */
export function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces what an element contains. */
export function put(element, ...children) {
  const fragment = document.createDocumentFragment();
  add(fragment, children);
  element.replaceChildren(fragment);
}

/** Sets text only where it differs, so that a live page does not disturb a selection. */
export function text(element, value) {
  const words = String(value);
  if (element.textContent !== words) element.textContent = words;
}

/** A number with thousands separators. */
export function count(number) {
  return Number(number).toLocaleString('en');
}

/** A time of the clock, and the day where it is not today. */
export function moment(at) {
  const when = new Date(at);
  if (Number.isNaN(when.getTime())) return at;
  const time = when.toLocaleTimeString('en-GB', {hour12: false});
  return when.toDateString() === new Date().toDateString() ? time
    : `${when.toLocaleDateString('en-GB', {day: 'numeric', month: 'short', year: 'numeric'})}, ${time}`;
}

/** "1 node", "3 nodes". */
export function plural(number, one, many = one + 's') {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Calls once, some time after the last request to do so: for text that is being typed. */
export function later(milliseconds, action) {
  let timer = 0;
  const ask = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
  ask.cancel = () => clearTimeout(timer);
  return ask;
}

/** Calls soon after the first request, and not more often than that, however many requests come. */
export function atMost(milliseconds, action) {
  let timer = 0;
  const ask = () => {
    timer ||= setTimeout(() => {
      timer = 0;
      action();
    }, milliseconds);
  };
  ask.cancel = () => clearTimeout(timer);
  return ask;
}

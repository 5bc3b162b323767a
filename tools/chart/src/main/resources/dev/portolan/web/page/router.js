// The place in the chart is the part of the URL after '#': '#/service?id=shop/web&node=worker-1'.

/** The link to a view; empty values are left out, lists repeat their name. */
export function link(view, values = {}) {
  const words = [];
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== '' && one !== null && one !== undefined && one !== false) {
        words.push(`${name}=${encode(one)}`);
      }
    }
  }
  return `#/${view}${words.length ? '?' + words.join('&') : ''}`;
}

// What people read in a URL stays readable: slashes and colons need no escape behind '#'.
function encode(value) {
  return encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',');
}

/** Where the URL says we are. */
export function place() {
  const hash = location.hash.startsWith('#/') ? location.hash.slice(2) : 'services';
  const at = hash.indexOf('?');
  return {
    view: at < 0 ? hash : hash.slice(0, at),
    values: new URLSearchParams(at < 0 ? '' : hash.slice(at + 1).replaceAll('+', '%2B')),
  };
}

/** Goes somewhere; the way back stays open. */
export function go(view, values) {
  location.hash = link(view, values);
}

/** Notes a detail of this place, such as a filter while it is typed, without a step in the history. */
export function note(view, values) {
  history.replaceState(history.state, '', link(view, values));
}

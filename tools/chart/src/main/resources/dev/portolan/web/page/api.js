// Asks the server. Nothing here writes: the server has only GET.

const KEY = 'portolan.token';

/** What the server answered instead: a sentence, its code and the HTTP status. */
export class Refusal extends Error {
  constructor(sentence, code, status) {
    super(sentence);
    this.code = code;
    this.status = status;
  }
}

let askForToken = async () => false;

/** Sets what asks the user for a token after a 401; it answers whether there is a new one. */
export function onMissingToken(ask) {
  askForToken = ask;
}

/** Takes '#token=…' out of the URL, before anything else can see it there. */
export function takeToken() {
  if (!location.hash.startsWith('#token=')) return;
  keepToken(decodeURIComponent(location.hash.slice('#token='.length)));
  history.replaceState(null, '', location.pathname + location.search + '#/services');
}

export function keepToken(token) {
  sessionStorage.setItem(KEY, token.trim());
}

function headers() {
  const token = sessionStorage.getItem(KEY);
  return token ? {Authorization: `Bearer ${token}`} : {};
}

/** Opens api/NAME; after a 401 it asks for a token and tries again, after a 503 it waits first. */
export async function open(name, values = {}, signal = undefined) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== '' && one !== null && one !== undefined) query.append(key, one);
    }
  }
  const address = `api/${name}${query.size ? '?' + query : ''}`;
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(address, {headers: headers(), signal, cache: 'no-store', credentials: 'same-origin'});
    if (answer.ok) return answer;
    if (answer.status === 401 && (await askForToken())) continue;
    // Busy: the server says when to come again.
    if (answer.status === 503 && attempt < 5) {
      const seconds = Number(answer.headers.get('Retry-After')) || 1;
      await new Promise((done) => setTimeout(done, Math.min(seconds, 10) * 1000));
      continue;
    }
    throw await refusal(answer);
  }
}

async function refusal(answer) {
  let said = {};
  try {
    said = await answer.json();
  } catch {
    // Something between us and the server answered; its status has to do.
  }
  return new Refusal(said.error ?? `the server answered ${answer.status}`, said.code ?? '', answer.status);
}

/** The JSON at api/NAME. */
export async function get(name, values, signal) {
  return (await open(name, values, signal)).json();
}

/** A reader of one thing at a time: a new question ends the one before it. */
export function asker() {
  let controller = new AbortController();
  return {
    /** The answer, or undefined if another question or close() came first. */
    async get(name, values) {
      controller.abort();
      const mine = (controller = new AbortController());
      try {
        const answer = await get(name, values, mine.signal);
        return mine.signal.aborted ? undefined : answer;
      } catch (problem) {
        if (mine.signal.aborted) return undefined;
        throw problem;
      }
    },
    close() {
      controller.abort();
    },
  };
}

// Follows the server: loads everything once, then reads its stream of changes, and comes back by itself.

import {get, open} from './api.js';
import {apply, cluster, read, replaceAll} from './store.js';

const SILENCE = 15_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

let report = () => {};
let pause = FIRST_PAUSE;
let wake = () => {};
let started;
let revision = -1;

/** Follows for as long as the page is open; tells its state in a word: connecting, connected, reconnecting. */
export async function follow(tell) {
  report = tell;
  addEventListener('online', () => wake());
  document.addEventListener('visibilitychange', () => document.hidden || wake());
  report('connecting');
  for (;;) {
    let why;
    try {
      await readStream();
      why = 'the server closed the stream';
    } catch (problem) {
      why = problem.message;
    }
    const rest = pause * (0.75 + Math.random() / 2);
    report('reconnecting', why);
    await new Promise((done) => {
      const timer = setTimeout(done, rest);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
    wake = () => {};
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

/** Loads everything again. */
export async function reload() {
  const [overview, services, nodes] = await Promise.all([get('overview'), get('services'), get('nodes')]);
  replaceAll(overview, services, nodes);
  revision = services.revision;
}

async function readStream() {
  const controller = new AbortController();
  let timer = 0;
  // A heartbeat comes each 5 seconds; a stream without one is dead even if it was not closed.
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(new Error('the server fell silent')), SILENCE);
  };
  alive();
  try {
    const answer = await open('events', {}, controller.signal);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const {value, done} = await reader.read();
      if (done) return;
      alive();
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) await take(block);
    }
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

// The stream is read no further while everything is loaded, so what was loaded is never older than what follows.
async function take(block) {
  let kind = 'message';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) kind = line.slice(6).trim();
    else if (line.startsWith('data:')) data += line.slice(5).trimStart();
  }
  if (kind === 'hello') {
    const hello = JSON.parse(data);
    const other = hello.started !== started || hello.revision !== revision;
    if (other || cluster.overview === null) await reload();
    started = hello.started;
    pause = FIRST_PAUSE;
    read(hello.reading);
    report('connected');
  } else if (kind === 'reading') {
    read(JSON.parse(data));
  } else if (kind === 'change') {
    const change = JSON.parse(data);
    // What loading has brought already: only its entries for the list of changes are new.
    apply(change.revision < revision ? {...change, services: [], removed: [], nodes: []} : change);
    revision = Math.max(revision, change.revision);
    if (change.truncated) await reload();
  }
}

// Many event subscribers in one process: node bench/event-subscribers.ts URL COUNT. Reports to its parent the
// delay from the time of each event to its arrival, and the number of missed events.

import { connect } from 'node:net';

const [url = '', count = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const REQUEST = `GET /api/v0/events HTTP/1.1\r\nHost: bench\r\nAuthorization: Basic ${Buffer.from('admin:bench').toString('base64')}\r\n\r\n`;

const delaysMs = new Uint32Array(60_000);
let arrived = 0;
let missed = 0;
let open = 0;

/** Every subscriber receives the same timestamp, so it is parsed once. */
let lastAt = { text: '', ms: 0 };
function parseTime(text: string): number {
  if (lastAt.text !== text) lastAt = { text, ms: Date.parse(`${text}Z`) };
  return lastAt.ms;
}

function subscribe(): void {
  let [incomplete, lastId] = ['', 0];
  const socket = connect(Number(port), hostname);
  socket.write(REQUEST);
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    const nowMs = Date.now();
    const messages = (incomplete + text).split('\n\n');
    incomplete = messages.pop() ?? '';
    for (const message of messages) {
      if (message.includes('retry: ')) open += 1;
      const [, id, at] = /^id: (\d+)\ndata: .*?"at":"([^"]+)"/.exec(message) ?? [];
      if (id === undefined || at === undefined) continue;
      if (lastId !== 0 && Number(id) !== lastId + 1) missed += 1;
      lastId = Number(id);
      arrived += 1;
      const delayMs = Math.max(0, Math.min(delaysMs.length - 1, nowMs - parseTime(at)));
      delaysMs[delayMs] = (delaysMs[delayMs] ?? 0) + 1;
    }
  });
  socket.on('close', () => {
    open -= 1;
  });
}

function delayPercentile(share: number): number {
  let remaining = arrived * share;
  for (const [ms, eventCount] of delaysMs.entries()) {
    remaining -= eventCount;
    if (remaining < 0) return ms;
  }
  return 0;
}

for (let reader = 0; reader < Number(count); reader += 1) subscribe();

process.on('message', () => {
  const worstMs = delaysMs.findLastIndex(each => each > 0);
  process.send?.({
    open,
    arrived,
    missed,
    p50Ms: delayPercentile(0.5),
    p99Ms: delayPercentile(0.99),
    worstMs,
  });
});
process.on('disconnect', () => process.exit());

// How long a second client waits at most, while the most expensive request of each route is answered.

import { request } from 'node:http';
import { Worker } from 'node:worker_threads';
import type { Shot } from '../load.ts';
import { median } from '../median.ts';
import type { Fleet } from './prepare-fleet.ts';
import type { WorstRequest } from './worst-requests.ts';
import { MORE_REQUESTS, WORST_REQUESTS } from './worst-requests.ts';

const LIMIT_MS = 50;
const ROUNDS = 5;
/** A stream of events never ends; it is read for this long. */
const STREAM_MS = 500;

/** Sends a request and reads the whole answer, or what a stream sends at first. */
function send(url: string, { method, path, headers, body }: Shot, streamMs?: number) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers: { ...headers } }, response => {
      const chunks: Buffer[] = [];
      const finish = () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', finish);
      if (streamMs !== undefined)
        setTimeout(() => {
          finish();
          sent.destroy();
        }, streamMs);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A client in a thread of its own that reads one host again and again. */
class SecondClient {
  readonly #worker: Worker;

  constructor(url: string, path: string) {
    this.#worker = new Worker(new URL('./second-client.ts', import.meta.url), { workerData: { url, path } });
  }

  /** Its longest wait since the last call. */
  longestMs(): Promise<number> {
    const answer = new Promise<number>(resolve => this.#worker.once('message', resolve));
    this.#worker.postMessage('longest');
    return answer;
  }

  stop(): Promise<number> {
    return this.#worker.terminate();
  }
}

/** Measures the requests with these names, or all if there are none. */
export async function measureDelays(
  url: string,
  { cluster, addresses }: Pick<Fleet, 'cluster' | 'addresses'>,
  names: readonly string[],
): Promise<void> {
  const ask = async (shot: Shot): Promise<unknown> => {
    const { status, text } = await send(url, shot);
    if (status >= 300 && status !== 404 && status !== 409)
      throw new Error(`${shot.method} ${shot.path}: ${status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  const fleet: Fleet = { cluster, addresses, ask };
  const client = new SecondClient(url, `/host/${addresses.at(-1)}`);

  async function delayOf({ prepare, shot, isStream }: WorstRequest) {
    const [delays, statuses]: [number[], Set<number>] = [[], new Set()];
    for (let round = 0; round < ROUNDS; round += 1) {
      await prepare?.(fleet, round);
      const sent = await shot(fleet, round);
      await client.longestMs();
      const { status } = await send(url, sent, isStream ? STREAM_MS : undefined);
      delays.push(await client.longestMs());
      statuses.add(status);
    }
    return { delayMs: median(delays), longestMs: Math.max(...delays), statuses: [...statuses].join(', ') };
  }

  try {
    const quiet: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await client.longestMs();
      await new Promise(resolve => setTimeout(resolve, STREAM_MS));
      quiet.push(await client.longestMs());
    }
    console.log(
      `\nSQLite: longest wait of a second client while the worst request of each route runs, ${addresses.length} hosts; median and longest of ${ROUNDS} rounds`,
    );
    console.log(`  ${'(nothing runs)'.padEnd(30)}${median(quiet).toFixed(1).padStart(8)} ms`);
    for (const [name, worst] of Object.entries({ ...MORE_REQUESTS, ...WORST_REQUESTS })) {
      if (names.length > 0 && !names.includes(name)) continue;
      const { delayMs, longestMs, statuses } = await delayOf(worst);
      const limitMs = worst.limitMs ?? LIMIT_MS;
      console.log(
        `  ${name.padEnd(30)}${delayMs.toFixed(1).padStart(8)} ms  ${longestMs.toFixed(1).padStart(8)} ms  (${statuses})${longestMs > limitMs ? `  above the aim of ${limitMs} ms` : ''}`,
      );
    }
  } finally {
    await client.stop();
  }
}

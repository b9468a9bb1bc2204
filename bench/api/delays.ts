// Measures the longest wait of a second client while the server processes the most expensive request of each route.

import { request } from 'node:http';
import { Worker } from 'node:worker_threads';
import type { LoadRequest } from '../load-generator.ts';
import { median } from '../measure.ts';
import type { BenchContext } from './requests.ts';
import type { WorstRequest } from './worst-requests.ts';
import { MORE_REQUESTS, WORST_REQUESTS } from './worst-requests.ts';

const LIMIT_MS = 50;
const ROUNDS = 5;
/** An event stream never ends; it is read for this time. */
const STREAM_MS = 500;

/** Sends a request and reads the complete response, or the start of a stream. */
function send(url: string, { method, path, headers, body }: LoadRequest, streamMs?: number) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const clientRequest = request(new URL(path, url), { method, headers: { ...headers } }, response => {
      const chunks: Buffer[] = [];
      const finish = () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', finish);
      if (streamMs !== undefined)
        setTimeout(() => {
          finish();
          clientRequest.destroy();
        }, streamMs);
    });
    clientRequest.on('error', reject);
    clientRequest.end(body);
  });
}

/** A client in a worker thread that reads one host repeatedly. */
class ProbeClient {
  readonly #worker: Worker;

  constructor(url: string, path: string) {
    this.#worker = new Worker(new URL('./probe-client.ts', import.meta.url), { workerData: { url, path } });
  }

  /** The longest wait since the last call. */
  takeLongestMs(): Promise<number> {
    const response = new Promise<number>(resolve => this.#worker.once('message', resolve));
    this.#worker.postMessage('longest');
    return response;
  }

  stop(): Promise<number> {
    return this.#worker.terminate();
  }
}

/** Measures the requests with these names, or all requests without names. */
export async function measureDelays(
  url: string,
  { cluster, addresses }: Pick<BenchContext, 'cluster' | 'addresses'>,
  names: readonly string[],
): Promise<void> {
  const sendUnmeasured = async (request: LoadRequest): Promise<unknown> => {
    const { status, text } = await send(url, request);
    if (status >= 300 && status !== 404 && status !== 409)
      throw new Error(`${request.method} ${request.path}: ${status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  const context: BenchContext = { cluster, addresses, sendUnmeasured };
  const client = new ProbeClient(url, `/host/${addresses.at(-1)}`);

  async function measureDelay({ prepare, createRequest, isStream }: WorstRequest) {
    const [delays, statuses]: [number[], Set<number>] = [[], new Set()];
    for (let round = 0; round < ROUNDS; round += 1) {
      await prepare?.(context, round);
      const clientRequest = await createRequest(context, round);
      await client.takeLongestMs();
      const { status } = await send(url, clientRequest, isStream ? STREAM_MS : undefined);
      delays.push(await client.takeLongestMs());
      statuses.add(status);
    }
    return { delayMs: median(delays), longestMs: Math.max(...delays), statuses: [...statuses].join(', ') };
  }

  try {
    const idleDelays: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await client.takeLongestMs();
      await new Promise(resolve => setTimeout(resolve, STREAM_MS));
      idleDelays.push(await client.takeLongestMs());
    }
    console.log(
      `\nSQLite: longest wait of a second client while the worst request of each route runs, ${addresses.length} hosts; median and longest of ${ROUNDS} rounds`,
    );
    console.log(`  ${'(nothing runs)'.padEnd(30)}${median(idleDelays).toFixed(1).padStart(8)} ms`);
    for (const [name, worstRequest] of Object.entries({ ...MORE_REQUESTS, ...WORST_REQUESTS })) {
      if (names.length > 0 && !names.includes(name)) continue;
      const { delayMs, longestMs, statuses } = await measureDelay(worstRequest);
      const limitMs = worstRequest.limitMs ?? LIMIT_MS;
      console.log(
        `  ${name.padEnd(30)}${delayMs.toFixed(1).padStart(8)} ms  ${longestMs.toFixed(1).padStart(8)} ms  (${statuses})${longestMs > limitMs ? `  above the aim of ${limitMs} ms` : ''}`,
      );
    }
  } finally {
    await client.stop();
  }
}

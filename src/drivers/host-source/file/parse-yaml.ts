import { Worker } from 'node:worker_threads';
import { isRecord } from '../../../lib/is-record.ts';
import { parseYamlText } from './yaml-text.ts';

/** What a file may take: one that is made to be slow must not keep the source waiting for ever. */
const PARSE_WITHIN_MS = 60_000;
const MOST_MEMORY_MB = 1024;

/** What is parsed within some tens of milliseconds. */
const SHORT = 16 * 1024;

/** What a text in YAML holds. Throws what is wrong with it. */
export async function parseYaml(text: string): Promise<unknown> {
  const answer = text.length <= SHORT ? parseYamlText(text) : await parseApart(text);
  if (!isRecord(answer)) throw new Error('cannot be parsed');
  if (typeof answer['problem'] === 'string') throw new Error(answer['problem']);
  return answer['content'];
}

/** In a thread of its own: ten thousand hosts take seconds, in which no request would be answered. */
async function parseApart(text: string): Promise<unknown> {
  const worker = new Worker(new URL('./yaml-worker.ts', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    // What it is started with is for the service, not for it.
    ...{ env: {}, argv: [], execArgv: [] },
  });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => reject(new Error('takes too long to parse')), PARSE_WITHIN_MS);
  worker.once('message', resolve);
  worker.once('error', () => reject(new Error('cannot be parsed')));
  worker.once('exit', () => reject(new Error('cannot be parsed')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

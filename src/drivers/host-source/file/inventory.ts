import { Worker } from 'node:worker_threads';
import type { Address } from '../../../domain/addresses/address.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';
import { isRecord } from '../../../lib/json.ts';
import { parseFactsRecord } from '../parse-facts.ts';
import { parseYamlText } from './yaml-text.ts';

/** Bounds the time for files that are slow to parse. */
const PARSE_TIMEOUT_MS = 60_000;
const MAX_MEMORY_MB = 1024;

/** Texts up to this length are parsed in tens of milliseconds. */
const MAX_INLINE_LENGTH = 16 * 1024;

async function parseYaml(text: string): Promise<unknown> {
  const result = text.length <= MAX_INLINE_LENGTH ? parseYamlText(text) : await parseInWorker(text);
  if (!isRecord(result)) throw new Error('cannot be parsed');
  if (typeof result['problem'] === 'string') throw new Error(result['problem']);
  return result['content'];
}

/** Parses in a worker thread: ten thousand hosts take seconds and would block the event loop. */
async function parseInWorker(text: string): Promise<unknown> {
  const worker = new Worker(new URL('./yaml-worker.ts', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    // The worker must not inherit the environment and arguments of the server.
    ...{ env: {}, argv: [], execArgv: [] },
  });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => reject(new Error('takes too long to parse')), PARSE_TIMEOUT_MS);
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

/** An empty file is more likely truncated than intended. */
const EMPTY_FILE = 'is empty: an inventory without hosts is {} or []';
const NOT_AN_INVENTORY =
  'is not an inventory: it must be a mapping of addresses to records, or a list of records with an address';

/** JSON is valid YAML, but JSON.parse is about a thousand times faster. */
async function parseText(text: string): Promise<unknown> {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // Falls through to the YAML parser, which reports the position of the error.
    }
  }
  return parseYaml(text);
}

function toEntries(content: unknown): (readonly [unknown, unknown])[] {
  if (content === null || content === undefined) throw new Error(EMPTY_FILE);
  if (Array.isArray(content)) {
    if (!content.every(isRecord)) throw new Error(NOT_AN_INVENTORY);
    return content.map(record => [record['address'], record]);
  }
  if (!isRecord(content)) throw new Error(NOT_AN_INVENTORY);
  return Object.entries(content);
}

/** Ignores keys that are not addresses. Error messages do not quote the content. */
export async function readInventory(text: string): Promise<ReadonlyMap<Address, SourceFacts>> {
  const inventory = new Map<Address, SourceFacts>();
  for (const [name, record] of toEntries(await parseText(text))) {
    const address = typeof name === 'string' ? parseAddress(name) : undefined;
    if (address === undefined) continue;
    if (inventory.has(address)) throw new Error(`contains two records for ${address}`);
    inventory.set(address, parseFactsRecord(record));
  }
  return inventory;
}

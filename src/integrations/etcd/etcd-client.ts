// A client of etcd 3.4 or later, through the JSON gateway. Invariant: every request can be repeated at another member,
// because a response can be lost; therefore every write is a transaction whose condition holds only once.

import Type from 'typebox';
import type { JsonClient, JsonResponse } from '../http/json-client.ts';
import { RemoteServerError } from '../http/remote-error.ts';
import { schemaParser } from '../http/schema-parser.ts';
import type { EtcdClientOptions } from './etcd-endpoints.ts';
import { EtcdEndpoints, EtcdError } from './etcd-endpoints.ts';
import type { EtcdEntry, EtcdPage } from './etcd-gateway.ts';
import { encodeBase64, encodePrefixEnd, parseRange, parseTransaction, parseVersion } from './etcd-gateway.ts';

export type WatchEnd =
  | 'stopped'
  /** The member ended the watch, for example after it lost its leader. */
  | 'canceled'
  | 'compacted'
  /** The connection broke, or was idle for too long. */
  | 'disconnected';

const readWatchResponse = schemaParser(
  'a watch event of etcd',
  Type.Object({
    result: Type.Optional(
      Type.Object({
        created: Type.Optional(Type.Boolean()),
        canceled: Type.Optional(Type.Boolean()),
        compact_revision: Type.Optional(Type.String()),
        events: Type.Optional(Type.Array(Type.Unknown())),
      }),
    ),
  }),
);

/** `undefined`: aborted before the watch started. */
async function openWatch(client: JsonClient, prefix: string, signal: AbortSignal) {
  const body = { create_request: { key: encodeBase64(prefix), range_end: encodePrefixEnd(prefix) } };
  const responses = client.streamLines({ method: 'POST', path: '/v3/watch', body, signal });
  const first = await responses.next();
  if (signal.aborted) return undefined;
  const problem = checkWatchCreated(client, first.done ? undefined : first.value);
  if (problem === undefined) return responses;
  await responses.return(undefined);
  throw problem;
}

function checkWatchCreated(client: JsonClient, first: JsonResponse | undefined): Error | undefined {
  if (first !== undefined && first.status !== 200) return new EtcdError(client.displayName, first, client.isVerified);
  const { created, canceled } = (first && readWatchResponse(first.body).result) ?? {};
  // If authentication is enabled, etcd sets both and sends nothing else.
  return created && !canceled
    ? undefined
    : new RemoteServerError('unreadable', `${client.displayName} did not start the watch`);
}

const PAGE_SIZE = 500;
/** The revision of the first page can be compacted during the read; the read then starts over. */
const MAX_READS = 3;

export class EtcdClient {
  readonly #endpoints: EtcdEndpoints;

  constructor(options: EtcdClientOptions) {
    this.#endpoints = new EtcdEndpoints(options);
  }

  async version(): Promise<string> {
    return parseVersion(await this.#endpoints.request('/v3/maintenance/status', {}));
  }

  async get(key: string): Promise<EtcdEntry | undefined> {
    const page = parseRange(await this.#endpoints.request('/v3/kv/range', { key: encodeBase64(key) }));
    return page.entries[0];
  }

  /** All entries at one revision, sorted by key. */
  async getPrefix(prefix: string): Promise<readonly EtcdEntry[]> {
    for (let left = MAX_READS; ; left--) {
      try {
        return await this.#getPages(prefix);
      } catch (error) {
        if (left <= 1 || !(error instanceof EtcdError && error.isCompacted)) throw error;
      }
    }
  }

  /** Creates an entry if the key does not exist; returns the existing entry otherwise. */
  async create(key: string, value: string): Promise<EtcdEntry | undefined> {
    const name = encodeBase64(key);
    const { entries } = parseTransaction(
      await this.#endpoints.request('/v3/kv/txn', {
        compare: [{ target: 'CREATE', result: 'EQUAL', key: name, create_revision: '0' }],
        success: [{ request_put: { key: name, value: encodeBase64(value) } }],
        failure: [{ request_range: { key: name } }],
      }),
    );
    return entries[0];
  }

  /** Deletes an entry if it has not changed since it was read; returns whether it was deleted. */
  async deleteUnchanged({ key, modRevision }: EtcdEntry): Promise<boolean> {
    const name = encodeBase64(key);
    const { hasSucceeded } = parseTransaction(
      await this.#endpoints.request('/v3/kv/txn', {
        compare: [{ target: 'MOD', result: 'EQUAL', key: name, mod_revision: modRevision }],
        success: [{ request_delete_range: { key: name } }],
      }),
    );
    return hasSucceeded;
  }

  /** Calls `onChange` when the watch has started and after each change. */
  async watchPrefix(prefix: string, onChange: () => void, signal: AbortSignal): Promise<WatchEnd> {
    const responses = await this.#endpoints.withFailover(server => openWatch(server, prefix, signal));
    if (responses === undefined) return 'stopped';
    onChange();
    try {
      for await (const { body } of responses) {
        const { result } = readWatchResponse(body);
        if (result === undefined) return 'canceled';
        if (result.canceled) return result.compact_revision === undefined ? 'canceled' : 'compacted';
        if (result.events !== undefined) onChange();
      }
    } catch (error) {
      if (!(error instanceof RemoteServerError)) throw error;
    }
    return signal.aborted ? 'stopped' : 'disconnected';
  }

  async #getPages(prefix: string): Promise<readonly EtcdEntry[]> {
    const found: EtcdEntry[] = [];
    const range_end = encodePrefixEnd(prefix);
    let [key, page]: [string, EtcdPage | undefined] = [prefix, undefined];
    do {
      const revision: string | undefined = page?.revision;
      const request = { key: encodeBase64(key), range_end, limit: PAGE_SIZE, ...(revision && { revision }) };
      page = parseRange(await this.#endpoints.request('/v3/kv/range', request));
      found.push(...page.entries);
      key = `${page.entries.at(-1)?.key ?? key}\0`;
    } while (!page.isLast && page.entries.length > 0);
    return found;
  }
}

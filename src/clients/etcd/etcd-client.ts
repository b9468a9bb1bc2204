// A client of etcd (3.4 or later), by the JSON gateway of its members. What must hold: whatever is asked may be asked again, of another
// member too, since an answer can be lost on its way; so nothing is written or deleted but on a condition that holds only once.

import type { EtcdAccess } from './etcd-members.ts';
import { EtcdMembers } from './etcd-members.ts';
import { EtcdRefusal } from './etcd-refusal.ts';
import type { EtcdEntry, EtcdPage } from './gateway.ts';
import { encoded, encodedEnd, pageOf, transactionOf, versionOf } from './gateway.ts';
import type { WatchEnd } from './watch-prefix.ts';
import { watchPrefix } from './watch-prefix.ts';

const PAGE_ENTRIES = 500;
/** The state of the first page may be compacted away under somebody who reads on: then it is read from the start. */
const MOST_READS = 3;

export class EtcdClient {
  readonly #members: EtcdMembers;

  constructor(access: EtcdAccess) {
    this.#members = new EtcdMembers(access);
  }

  /** Of the member that answers. */
  async version(): Promise<string> {
    return versionOf(await this.#members.call('/v3/maintenance/status', {}));
  }

  async get(key: string): Promise<EtcdEntry | undefined> {
    const page = pageOf(await this.#members.call('/v3/kv/range', { key: encoded(key) }));
    return page.entries[0];
  }

  /** All that begin with a prefix, as they were at one moment, by key. */
  async getPrefix(prefix: string): Promise<readonly EtcdEntry[]> {
    for (let left = MOST_READS; ; left--) {
      try {
        return await this.#getPages(prefix);
      } catch (error) {
        if (left <= 1 || !(error instanceof EtcdRefusal && error.isCompacted)) throw error;
      }
    }
  }

  /** Writes an entry where none is. Answers the one that is there already; `undefined`: it was written. */
  async create(key: string, value: string): Promise<EtcdEntry | undefined> {
    const name = encoded(key);
    const { entries } = transactionOf(
      await this.#members.call('/v3/kv/txn', {
        compare: [{ target: 'CREATE', result: 'EQUAL', key: name, create_revision: '0' }],
        success: [{ request_put: { key: name, value: encoded(value) } }],
        failure: [{ request_range: { key: name } }],
      }),
    );
    return entries[0];
  }

  /** Deletes an entry that is still as it was read; answers whether it was. */
  async deleteUnchanged({ key, modRevision }: EtcdEntry): Promise<boolean> {
    const name = encoded(key);
    const { hasSucceeded } = transactionOf(
      await this.#members.call('/v3/kv/txn', {
        compare: [{ target: 'MOD', result: 'EQUAL', key: name, mod_revision: modRevision }],
        success: [{ request_delete_range: { key: name } }],
      }),
    );
    return hasSucceeded;
  }

  /** Calls back when it has begun, and after each change under a prefix. Answers why it goes on no longer. */
  watchPrefix(prefix: string, changed: () => void, signal: AbortSignal): Promise<WatchEnd> {
    return watchPrefix(this.#members, prefix, changed, signal);
  }

  async #getPages(prefix: string): Promise<readonly EtcdEntry[]> {
    const found: EtcdEntry[] = [];
    const range_end = encodedEnd(prefix);
    let [key, page]: [string, EtcdPage | undefined] = [prefix, undefined];
    do {
      const revision: string | undefined = page?.revision;
      const wanted = { key: encoded(key), range_end, limit: PAGE_ENTRIES, ...(revision && { revision }) };
      page = pageOf(await this.#members.call('/v3/kv/range', wanted));
      found.push(...page.entries);
      key = `${page.entries.at(-1)?.key ?? key}\0`;
    } while (!page.isLast && page.entries.length > 0);
    return found;
  }
}

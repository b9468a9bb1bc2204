import type { Address } from '../../domain/addresses/address.ts';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { SourceFacts, SourceReadError } from '../../domain/hosts/host-facts.ts';
import type { HostSource } from '../../drivers/host-source/host-source.ts';
import { errorMessage } from '../../lib/errors.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { withTimeout } from '../../lib/time/clock.ts';
import type { EnginePorts } from '../ports.ts';
import { sanitizeFacts } from './sanitize-facts.ts';

const WRITE_BATCH = 500;
/** For a source that queries each host. At 5 s per host with 8 in parallel, a page takes about 63 s. */
const PAGE_SIZE = 100;
/** For a source that reads all hosts at once. */
const BULK_PAGE_SIZE = 50_000;
const RESPONSE_TIMEOUT_MS = 120_000;
/** How long a dead server keeps its claim to a source. Every page extends the claim. */
export const SOURCE_CLAIM_MS = RESPONSE_TIMEOUT_MS + 30_000;
const RETRY_MS = 30_000;
const MAX_PROBLEM_LENGTH = 500;

class SourceClaimLostError extends Error {}
class ShutdownError extends Error {}

export class SourceRefresh {
  readonly #ports: SourcePorts;
  readonly #config: SourceConfig;
  readonly #fence: number;
  readonly #signal: AbortSignal;
  /** The last facts of a host with a read error are kept. */
  #firstReadError = '';

  constructor(ports: SourcePorts, config: SourceConfig, fence: number, signal: AbortSignal) {
    this.#ports = ports;
    this.#config = config;
    this.#fence = fence;
    this.#signal = signal;
  }

  /** `isFull` reads all hosts, otherwise only hosts that were never read. */
  async run({ isFull, previousProblem }: { isFull: boolean; previousProblem: string }): Promise<void> {
    const { log } = this.#ports;
    const { name, refreshMs } = this.#config;
    try {
      await this.#readPages(isFull);
      await this.#release({ problem: this.#firstReadError });
      if (previousProblem && !this.#firstReadError) log.info({ source: name }, 'host source recovered');
    } catch (error) {
      if (error instanceof SourceClaimLostError) return;
      if (error instanceof StoreUnavailableError) throw error;
      if (error instanceof ShutdownError) return this.#release({ retryInMs: 0 });
      const problem = sanitizeLine(errorMessage(error), MAX_PROBLEM_LENGTH) || 'unknown error';
      await this.#release({ problem, retryInMs: Math.min(RETRY_MS, refreshMs) });
      if (problem !== previousProblem)
        log.warn({ source: name, problem }, 'failed to read a host source; keeping its last data');
    }
  }

  /** Reads new hosts first, because nothing is known about them. */
  async #readPages(isFull: boolean): Promise<void> {
    const { sourcedHosts } = this.#ports.store.reads;
    const { name, source } = this.#config;
    const limit = source.isBulk ? BULK_PAGE_SIZE : PAGE_SIZE;
    const done = new Set<Address>();
    let after: Address | undefined;
    for (;;) {
      const all = await sourcedHosts.listAddresses(name, { limit, onlyUnread: true });
      const unread = all.filter(address => !done.has(address));
      if (unread.length > 0) {
        await this.#readPage(unread);
        for (const address of unread) done.add(address);
        continue;
      }
      const page = isFull ? await sourcedHosts.listAddresses(name, { limit, after }) : [];
      if (page.length === 0) return;
      await this.#readPage(page.filter(address => !done.has(address)));
      after = page.at(-1);
    }
  }

  async #readPage(addresses: readonly Address[]): Promise<void> {
    const { store, osNames } = this.#ports;
    const { name } = this.#config;
    if (addresses.length === 0) return;
    const validFacts = new Map<Address, SourceFacts>();
    const failed = new Set<Address>();
    for (const [address, facts] of await this.#readSource(addresses)) {
      if ('readError' in facts) {
        failed.add(address);
        this.#firstReadError ||= sanitizeLine(facts.readError, MAX_PROBLEM_LENGTH);
      } else validFacts.set(address, sanitizeFacts(facts, osNames));
    }
    const answered = addresses.filter(address => !failed.has(address));
    for (let at = 0; at < answered.length; at += WRITE_BATCH) {
      await store.transaction(async records => {
        const now = await records.nowMs();
        if (!(await records.sourceRefreshes.extendClaim(name, this.#fence, now + SOURCE_CLAIM_MS)))
          throw new SourceClaimLostError();
        await records.sourcedHosts.saveFacts(name, answered.slice(at, at + WRITE_BATCH), validFacts, now);
      });
    }
  }

  async #readSource(addresses: readonly Address[]): Promise<ReadonlyMap<Address, SourceFacts | SourceReadError>> {
    const signal = this.#signal;
    const { source } = this.#config;
    if (signal.aborted) throw new ShutdownError();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = () => reject(new ShutdownError());
    signal.addEventListener('abort', stop);
    try {
      const readUnlessStopped = () => Promise.race([source.read(addresses), stopped]);
      return await withTimeout(this.#ports.clock, RESPONSE_TIMEOUT_MS, readUnlessStopped);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #release({ problem, retryInMs }: { problem?: string; retryInMs?: number }): Promise<void> {
    const { name } = this.#config;
    await this.#ports.store.transaction(async records => {
      await records.sourceRefreshes.releaseClaim(name, this.#fence, problem);
      if (retryInMs !== undefined) await records.sourceRefreshes.scheduleBy(name, (await records.nowMs()) + retryInMs);
    });
  }
}

export interface SourceConfig {
  readonly name: string;
  readonly refreshMs: number;
  readonly source: HostSource;
}

export interface SourcePorts extends Pick<EnginePorts, 'store' | 'clock' | 'log'> {
  readonly osNames: readonly string[];
}

import type { Address } from '../../domain/addresses/address.ts';
import { StoreUnavailable } from '../../domain/errors.ts';
import type { SourceFacts, Unread } from '../../domain/hosts/source-facts.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { inTime } from '../../lib/time/sleep.ts';
import type { ConfiguredSource, SourcePorts } from './ports.ts';
import { soundFacts } from './sound-facts.ts';

/** How many hosts are written at once. */
const WRITTEN_PAGE = 500;
/** How many a source is asked for that asks for each of them: one that is as slow as it may be, 5 s for each of eight, gets through it in time. */
const PAGE = 100;
/** How many one is asked for that reads all it has. */
const LARGE_PAGE = 50_000;
/** A page takes no longer. */
const ANSWER_WITHIN_MS = 120_000;
/** How long a server that is not heard of keeps a source. It is kept anew with each page. */
export const BUSY_MS = ANSWER_WITHIN_MS + 30_000;
/** One that cannot be read is tried again after so long, or when its time has come. */
const RETRY_MS = 30_000;
const LONGEST_PROBLEM = 500;

/** Another server has the source by now. */
class LostSource extends Error {}
/** This server stops. */
class Stopped extends Error {}

/** Reads a source that this server has taken, page by page, and lets others have it again. */
export class ReadingTurn {
  readonly #ports: SourcePorts;
  readonly #configured: ConfiguredSource;
  readonly #fence: number;
  readonly #signal: AbortSignal;
  /** Why a host could not be read, the first of them; what was told of it last is kept. */
  #unread = '';

  constructor(ports: SourcePorts, configured: ConfiguredSource, fence: number, signal: AbortSignal) {
    this.#ports = ports;
    this.#configured = configured;
    this.#fence = fence;
    this.#signal = signal;
  }

  /** `isWhole`: all hosts are read, else only those that it was never asked for. */
  async run({ isWhole, problemBefore }: { isWhole: boolean; problemBefore: string }): Promise<void> {
    const { log } = this.#ports;
    const { name, refreshMs } = this.#configured;
    try {
      await this.#readPages(isWhole);
      await this.#giveUp({ problem: this.#unread });
      if (problemBefore && !this.#unread) log.info({ source: name }, 'host source recovered');
    } catch (error) {
      if (error instanceof LostSource) return;
      if (error instanceof StoreUnavailable) throw error;
      if (error instanceof Stopped) return this.#giveUp({ againInMs: 0 });
      const problem = harmless(messageOf(error), LONGEST_PROBLEM) || 'unknown error';
      await this.#giveUp({ problem, againInMs: Math.min(RETRY_MS, refreshMs) });
      if (problem !== problemBefore)
        log.warn({ source: name, problem }, 'failed to read a host source; keeping its last data');
    }
  }

  /** Hosts that are enrolled meanwhile go first: of them nothing is known yet. */
  async #readPages(isWhole: boolean): Promise<void> {
    const { toldHosts } = this.#ports.store.reads;
    const { name, source } = this.#configured;
    const limit = source.readsAll ? LARGE_PAGE : PAGE;
    const read = new Set<Address>();
    let after: Address | undefined;
    for (;;) {
      const all = await toldHosts.page(name, { limit, isNew: true });
      const fresh = all.filter(address => !read.has(address));
      if (fresh.length > 0) {
        await this.#readPage(fresh);
        for (const address of fresh) read.add(address);
        continue;
      }
      const page = isWhole ? await toldHosts.page(name, { limit, after }) : [];
      if (page.length === 0) return;
      await this.#readPage(page.filter(address => !read.has(address)));
      after = page.at(-1);
    }
  }

  async #readPage(addresses: readonly Address[]): Promise<void> {
    const { store, systems } = this.#ports;
    const { name } = this.#configured;
    if (addresses.length === 0) return;
    const sound = new Map<Address, SourceFacts>();
    const unread = new Set<Address>();
    for (const [address, told] of await this.#ask(addresses)) {
      if ('unread' in told) {
        unread.add(address);
        this.#unread ||= harmless(told.unread, LONGEST_PROBLEM);
      } else sound.set(address, soundFacts(told, systems));
    }
    const answered = addresses.filter(address => !unread.has(address));
    for (let at = 0; at < answered.length; at += WRITTEN_PAGE) {
      await store.transaction(async records => {
        const now = await records.nowMs();
        if (!(await records.sourceReads.hold(name, this.#fence, now + BUSY_MS))) throw new LostSource();
        await records.toldHosts.write(name, answered.slice(at, at + WRITTEN_PAGE), sound, now);
      });
    }
  }

  async #ask(addresses: readonly Address[]): Promise<ReadonlyMap<Address, SourceFacts | Unread>> {
    const signal = this.#signal;
    const { source } = this.#configured;
    if (signal.aborted) throw new Stopped();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = () => reject(new Stopped());
    signal.addEventListener('abort', stop);
    try {
      const ask = () => Promise.race([source.read(addresses), stopped]);
      return await inTime(this.#ports.clock, ANSWER_WITHIN_MS, ask);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #giveUp({ problem, againInMs }: { problem?: string; againInMs?: number }): Promise<void> {
    const { name } = this.#configured;
    await this.#ports.store.transaction(async records => {
      await records.sourceReads.giveUp(name, this.#fence, problem);
      if (againInMs !== undefined)
        await records.sourceReads.hasten(name, (await records.nowMs()) + againInMs);
    });
  }
}

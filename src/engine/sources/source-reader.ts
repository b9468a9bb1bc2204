import { StoreUnavailable } from '../../domain/errors.ts';
import { Pacer } from '../../lib/time/pacer.ts';
import { sleep } from '../../lib/time/sleep.ts';
import type { SourceRead } from '../../store/repositories/hosts/source-reads.ts';
import type { ConfiguredSource, SourcePorts } from './ports.ts';
import { BUSY_MS, ReadingTurn } from './reading-turn.ts';

/** Looks at what is due are at least so far apart: hosts that are enrolled together are asked for together. */
const PACE_MS = 1000;
/** What may have changed is read at once, but not more often than so. */
const AGAIN_AFTER_MS = 5000;
/** Another server may have left its work undone. */
const LOOK_ANYWAY_MS = 30_000;
/** While another server has it. */
const LOOK_WHILE_BUSY_MS = 5000;
/** After the store was away, or a watch could not go on. */
const TRY_AGAIN_MS = 2000;
const WATCH_AGAIN_MS = 30_000;
/** Servers that look at the same moment take their time one after the other. */
const SLACK_MS = 60_000;

const NEVER_READ: SourceRead = { dueAt: 0, beganAt: 0, busyUntil: 0, fence: 0, problem: '' };

/** Reads one host source whenever that is due: its time has come, it says that something has changed, or it has a new host. */
export class SourceReader {
  readonly #ports: SourcePorts;
  readonly #configured: ConfiguredSource;
  readonly #pacer: Pacer;
  readonly #stopping = new AbortController();
  /** Something may have changed since it was read the last time, and nobody knows yet but this server. */
  #hasChanged = true;
  #isFirstLook = true;

  constructor(ports: SourcePorts, configured: ConfiguredSource) {
    this.#ports = ports;
    this.#configured = configured;
    this.#pacer = new Pacer(ports.clock, PACE_MS, () => this.#look());
  }

  start(): void {
    this.lookSoon();
    void this.#watch();
  }

  lookSoon(): void {
    this.#pacer.doIn(0);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#pacer.stop();
  }

  #changed(): void {
    this.#hasChanged = true;
    this.lookSoon();
  }

  async #watch(): Promise<void> {
    const { source } = this.#configured;
    const { signal } = this.#stopping;
    while (source.watch && !signal.aborted) {
      // Why it could not go on is told when it is read.
      await source.watch(() => this.#changed(), signal).catch(() => {});
      await sleep(this.#ports.clock, WATCH_AGAIN_MS, signal);
      this.#changed();
    }
  }

  async #look(): Promise<void> {
    const { store, log } = this.#ports;
    const { name } = this.#configured;
    try {
      if (this.#isFirstLook && !store.isShared)
        await store.transaction(records => records.sourceReads.freeFromEarlier(name));
      this.#isFirstLook = false;
      const now = await store.reads.nowMs();
      const read = await this.#withChange((await store.reads.sourceReads.get(name)) ?? NEVER_READ, now);
      this.#pacer.doIn(await this.#readWhatIsDue(read, now));
    } catch (error) {
      if (!(error instanceof StoreUnavailable))
        log.error({ err: error, source: name }, 'failed to refresh a host source; retrying');
      this.#pacer.doIn(TRY_AGAIN_MS);
    }
  }

  /** Tells the other servers that something may have changed. */
  async #withChange(read: SourceRead, now: number): Promise<SourceRead> {
    if (!this.#hasChanged) return read;
    const { store } = this.#ports;
    const againAt = read.beganAt + AGAIN_AFTER_MS;
    // If the clock was set back it began in the future.
    const dueAt = againAt > now + AGAIN_AFTER_MS ? now : Math.max(now, againAt);
    this.#hasChanged = false;
    try {
      await store.transaction(records => records.sourceReads.hasten(this.#configured.name, dueAt));
    } catch (error) {
      this.#hasChanged = true;
      throw error;
    }
    return { ...read, dueAt: Math.min(read.dueAt, dueAt) };
  }

  /** Answers in how long to look again. */
  async #readWhatIsDue(read: SourceRead, now: number): Promise<number> {
    const { store } = this.#ports;
    const { name, refreshMs } = this.#configured;
    if (read.busyUntil > now && read.busyUntil <= now + 2 * BUSY_MS)
      return Math.min(read.busyUntil - now, LOOK_WHILE_BUSY_MS);
    // Its time has come, or is further away than it can be since the clock was set; or whoever had it did not come to an end.
    const isWhole = read.dueAt <= now || read.dueAt > now + refreshMs + SLACK_MS || read.busyUntil > 0;
    // One that cannot be read is asked for new hosts when it is tried again.
    const hasNew = read.problem === '' && (await store.reads.toldHosts.hasNew(name));
    if (!isWhole && !hasNew) return Math.min(read.dueAt - now, LOOK_ANYWAY_MS);
    const whole = isWhole ? { beganAt: now, nextDueAt: now + refreshMs } : undefined;
    const fence = await store.transaction(records =>
      records.sourceReads.take(name, read, { busyUntil: now + BUSY_MS, whole }),
    );
    if (fence === undefined) return PACE_MS;
    const turn = new ReadingTurn(this.#ports, this.#configured, fence, this.#stopping.signal);
    await turn.run({ isWhole, problemBefore: read.problem });
    return 0;
  }
}

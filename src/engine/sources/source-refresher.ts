import { StoreUnavailableError } from '../../domain/errors.ts';
import { sleep, waitUpTo } from '../../lib/time/clock.ts';
import { ThrottledJob } from '../../lib/time/throttled-job.ts';
import type { SourceRefreshState } from '../../store/repositories/hosts/host-sources.ts';
import type { SourceConfig, SourcePorts } from './refresh-source.ts';
import { CLAIM_DURATION_MS, SourceRefresh } from './refresh-source.ts';

/** Looks at what is due are at least so far apart: hosts that are enrolled together are asked for together. */
const MIN_POLL_INTERVAL_MS = 1000;
/** What may have changed is read at once, but not more often than so. */
const MIN_REFRESH_GAP_MS = 5000;
/** Another server may have left its work undone. */
const RESYNC_INTERVAL_MS = 30_000;
/** While another server has it. */
const BUSY_POLL_MS = 5000;
/** After the store was away, or a watch could not go on. */
const ERROR_BACKOFF_MS = 2000;
const WATCH_RESTART_MS = 30_000;
/** Servers that look at the same moment take their time one after the other. */
const CLOCK_SLACK_MS = 60_000;

const NEVER_REFRESHED: SourceRefreshState = {
  dueAt: 0,
  startedAt: 0,
  claimedUntil: 0,
  fence: 0,
  problem: '',
};

/** Reads one host source whenever that is due: its time has come, it says that something has changed, or it has a new host. */
export class SourceRefresher {
  readonly #ports: SourcePorts;
  readonly #config: SourceConfig;
  readonly #pollJob: ThrottledJob;
  readonly #stopping = new AbortController();
  /** Something may have changed since it was read the last time, and nobody knows yet but this server. */
  #hasUnpublishedChange = true;
  #isFirstPoll = true;

  constructor(ports: SourcePorts, config: SourceConfig) {
    this.#ports = ports;
    this.#config = config;
    this.#pollJob = new ThrottledJob(ports.clock, MIN_POLL_INTERVAL_MS, () => this.#poll());
  }

  start(): void {
    this.pollSoon();
    void this.#watch();
  }

  pollSoon(): void {
    this.#pollJob.scheduleIn(0);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#pollJob.stop();
  }

  #onChange(): void {
    this.#hasUnpublishedChange = true;
    this.pollSoon();
  }

  async #watch(): Promise<void> {
    const { source } = this.#config;
    const { signal } = this.#stopping;
    while (source.watch && !signal.aborted) {
      // Why it could not go on is told when it is read.
      await source.watch(() => this.#onChange(), signal).catch(() => {});
      await sleep(this.#ports.clock, WATCH_RESTART_MS, signal);
      this.#onChange();
    }
  }

  async #poll(): Promise<void> {
    const { store, log } = this.#ports;
    const { name } = this.#config;
    try {
      if (this.#isFirstPoll && !store.isShared)
        await store.transaction(records => records.sourceRefreshes.releaseStaleClaim(name));
      this.#isFirstPoll = false;
      const now = await store.reads.nowMs();
      const state = await this.#publishChange(
        (await store.reads.sourceRefreshes.get(name)) ?? NEVER_REFRESHED,
        now,
      );
      this.#pollJob.scheduleIn(await this.#refreshIfDue(state, now));
    } catch (error) {
      if (!(error instanceof StoreUnavailableError))
        log.error({ err: error, source: name }, 'failed to refresh a host source; retrying');
      this.#pollJob.scheduleIn(ERROR_BACKOFF_MS);
    }
  }

  /** Tells the other servers that something may have changed. */
  async #publishChange(state: SourceRefreshState, now: number): Promise<SourceRefreshState> {
    if (!this.#hasUnpublishedChange) return state;
    const { store } = this.#ports;
    const earliestAt = state.startedAt + MIN_REFRESH_GAP_MS;
    // If the clock was set back it began in the future.
    const dueAt = earliestAt > now + MIN_REFRESH_GAP_MS ? now : Math.max(now, earliestAt);
    this.#hasUnpublishedChange = false;
    try {
      await store.transaction(records => records.sourceRefreshes.scheduleBy(this.#config.name, dueAt));
    } catch (error) {
      this.#hasUnpublishedChange = true;
      throw error;
    }
    return { ...state, dueAt: Math.min(state.dueAt, dueAt) };
  }

  /** Answers in how long to look again. */
  async #refreshIfDue(state: SourceRefreshState, now: number): Promise<number> {
    const { store } = this.#ports;
    const { name, refreshMs } = this.#config;
    if (state.claimedUntil > now && state.claimedUntil <= now + 2 * CLAIM_DURATION_MS)
      return Math.min(state.claimedUntil - now, BUSY_POLL_MS);
    // Its time has come, or is further away than it can be since the clock was set; or whoever had it did not come to an end.
    const isFull =
      state.dueAt <= now || state.dueAt > now + refreshMs + CLOCK_SLACK_MS || state.claimedUntil > 0;
    // One that cannot be read is asked for new hosts when it is tried again.
    const hasNewHosts = state.problem === '' && (await store.reads.sourcedHosts.hasUnread(name));
    if (!isFull && !hasNewHosts) return Math.min(state.dueAt - now, RESYNC_INTERVAL_MS);
    const fullRefresh = isFull ? { startedAt: now, nextDueAt: now + refreshMs } : undefined;
    const fence = await store.transaction(records =>
      records.sourceRefreshes.claim(name, state, { claimedUntil: now + CLAIM_DURATION_MS, fullRefresh }),
    );
    if (fence === undefined) return MIN_POLL_INTERVAL_MS;
    const refresh = new SourceRefresh(this.#ports, this.#config, fence, this.#stopping.signal);
    await refresh.run({ isFull, previousProblem: state.problem });
    return 0;
  }
}

// Host sources are read in the background, and what they tell is kept in the store with the time at which they told it. What must hold:
// no request waits for a source; one server at a time reads it, however many share the store; a source that does not answer changes
// nothing of what is known; none holds up another, or a stop.

/** The last words to the store at a stop. */
const STOP_TIMEOUT_MS = 2000;

export class SourceRefreshers {
  readonly #ports: SourcePorts;
  readonly #refreshers: ReadonlyMap<string, SourceRefresher>;

  private constructor(ports: SourcePorts, sources: readonly SourceConfig[]) {
    this.#ports = ports;
    this.#refreshers = new Map(sources.map(config => [config.name, new SourceRefresher(ports, config)]));
  }

  /** Begins to read them: each at once, since it may be configured anew, and then whenever its time has come. */
  static start(ports: SourcePorts, sources: readonly SourceConfig[]): SourceRefreshers {
    const refreshers = new SourceRefreshers(ports, sources);
    for (const refresher of refreshers.#refreshers.values()) refresher.start();
    return refreshers;
  }

  /** A host was enrolled whose facts come from there. */
  refreshSoon(name: string): void {
    this.#refreshers.get(name)?.pollSoon();
  }

  /** What is under way is left; whoever comes next begins it anew. */
  async stop(): Promise<void> {
    const stopAll = () => Promise.all([...this.#refreshers.values()].map(refresher => refresher.stop()));
    await waitUpTo(this.#ports.clock, STOP_TIMEOUT_MS, stopAll);
  }
}

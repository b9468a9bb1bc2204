import { StoreUnavailableError } from '../../domain/errors.ts';
import { sleep, waitUpTo } from '../../lib/time/clock.ts';
import { ThrottledJob } from '../../lib/time/throttled-job.ts';
import type { SourceRefreshState } from '../../store/repositories/hosts/host-sources.ts';
import type { SourceConfig, SourcePorts } from './refresh-source.ts';
import { SOURCE_CLAIM_MS, SourceRefresh } from './refresh-source.ts';

/** Hosts that are enrolled together are read together. */
const MIN_POLL_INTERVAL_MS = 1000;
/** Applies to a source that reports changes. */
const MIN_REFRESH_GAP_MS = 5000;
/** Another server can have died before it finished a refresh. */
const RESYNC_INTERVAL_MS = 30_000;
const BUSY_POLL_MS = 5000;
const ERROR_BACKOFF_MS = 2000;
const WATCH_RESTART_MS = 30_000;
/** Servers that poll at the same time write due times that differ slightly. */
const CLOCK_SLACK_MS = 60_000;

const NEVER_REFRESHED: SourceRefreshState = { dueAt: 0, startedAt: 0, claimedUntil: 0, fence: 0, problem: '' };

/**
 * Invariants: no request waits for a source; one server at a time reads a source; a failed read keeps the last facts; a
 * source delays neither other sources nor shutdown.
 */
export class SourceRefresher {
  readonly #ports: SourcePorts;
  readonly #config: SourceConfig;
  readonly #pollJob: ThrottledJob;
  readonly #stopping = new AbortController();
  /** The source may have changed, and the store does not know it yet. */
  #hasUnpublishedChange = true;
  #isFirstPoll = true;

  constructor(ports: SourcePorts, config: SourceConfig) {
    this.#ports = ports;
    this.#config = config;
    this.#pollJob = new ThrottledJob({
      clock: ports.clock,
      minIntervalMs: MIN_POLL_INTERVAL_MS,
      run: () => this.#poll(),
      onError: error => {
        if (!(error instanceof StoreUnavailableError))
          ports.log.error({ err: error, source: config.name }, 'failed to refresh a host source; retrying');
      },
      retryMs: ERROR_BACKOFF_MS,
    });
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
      // The next read reports the problem.
      await source.watch(() => this.#onChange(), signal).catch(() => {});
      await sleep(this.#ports.clock, WATCH_RESTART_MS, signal);
      this.#onChange();
    }
  }

  async #poll(): Promise<number> {
    const { store } = this.#ports;
    const { name } = this.#config;
    if (this.#isFirstPoll && !store.isShared)
      await store.transaction(records => records.sourceRefreshes.releaseStaleClaim(name));
    this.#isFirstPoll = false;
    const now = await store.reads.nowMs();
    const state = await this.#publishChange((await store.reads.sourceRefreshes.get(name)) ?? NEVER_REFRESHED, now);
    return this.#refreshIfDue(state, now);
  }

  /** Makes the source due, so that any server can read it. */
  async #publishChange(state: SourceRefreshState, now: number): Promise<SourceRefreshState> {
    if (!this.#hasUnpublishedChange) return state;
    const { store } = this.#ports;
    const earliestAt = state.startedAt + MIN_REFRESH_GAP_MS;
    // After the clock was set back, `startedAt` can be in the future.
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

  /** Returns the delay until the next poll. */
  async #refreshIfDue(state: SourceRefreshState, now: number): Promise<number> {
    const { store } = this.#ports;
    const { name, refreshMs } = this.#config;
    if (state.claimedUntil > now && state.claimedUntil <= now + 2 * SOURCE_CLAIM_MS)
      return Math.min(state.claimedUntil - now, BUSY_POLL_MS);
    // A due time is too late if the clock was set back. A claim remains if the last refresh did not finish.
    const isFull = state.dueAt <= now || state.dueAt > now + refreshMs + CLOCK_SLACK_MS || state.claimedUntil > 0;
    // A failing source reads new hosts when it is retried.
    const hasNewHosts = state.problem === '' && (await store.reads.sourcedHosts.hasUnread(name));
    if (!isFull && !hasNewHosts) return Math.min(state.dueAt - now, RESYNC_INTERVAL_MS);
    const fullRefresh = isFull ? { startedAt: now, nextDueAt: now + refreshMs } : undefined;
    const fence = await store.transaction(records =>
      records.sourceRefreshes.claim(name, state, { claimedUntil: now + SOURCE_CLAIM_MS, fullRefresh }),
    );
    if (fence === undefined) return MIN_POLL_INTERVAL_MS;
    const refresh = new SourceRefresh(this.#ports, this.#config, fence, this.#stopping.signal);
    await refresh.run({ isFull, previousProblem: state.problem });
    return 0;
  }
}

const STOP_TIMEOUT_MS = 2000;

export class SourceRefreshers {
  readonly #ports: SourcePorts;
  readonly #refreshers: ReadonlyMap<string, SourceRefresher>;

  private constructor(ports: SourcePorts, sources: readonly SourceConfig[]) {
    this.#ports = ports;
    this.#refreshers = new Map(sources.map(config => [config.name, new SourceRefresher(ports, config)]));
  }

  /** Reads every source immediately, because its configuration can have changed. */
  static start(ports: SourcePorts, sources: readonly SourceConfig[]): SourceRefreshers {
    const refreshers = new SourceRefreshers(ports, sources);
    for (const refresher of refreshers.#refreshers.values()) refresher.start();
    return refreshers;
  }

  refreshSoon(name: string): void {
    this.#refreshers.get(name)?.pollSoon();
  }

  /** The next server starts aborted refreshes again. */
  async stop(): Promise<void> {
    const stopAll = () => Promise.all([...this.#refreshers.values()].map(refresher => refresher.stop()));
    await waitUpTo(this.#ports.clock, STOP_TIMEOUT_MS, stopAll);
  }
}

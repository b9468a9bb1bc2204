import { LONGEST_PAUSE_MS } from '../domain/patience.ts';
import type { EnginePorts } from './ports.ts';

/** Clocks drift apart by less than this between two looks. */
const DRIFT_MS = 2000;

/** Notices that the store's clock was set back: what is due would else wait until that time comes again. */
export class ClockSetback {
  readonly #ports: Pick<EnginePorts, 'store' | 'clock' | 'settings' | 'log'>;
  #last: { readonly storeMs: number; readonly monotonicMs: number } | undefined;

  constructor(ports: Pick<EnginePorts, 'store' | 'clock' | 'settings' | 'log'>) {
    this.#ports = ports;
  }

  /** Looks now and then; at the first look nobody knows, so everything is looked at. */
  async look(): Promise<void> {
    const { store, clock, settings, log } = this.#ports;
    const now = { storeMs: await store.reads.nowMs(), monotonicMs: clock.monotonicMs() };
    const last = this.#last;
    this.#last = now;
    const lateMs = last ? last.storeMs - last.monotonicMs - (now.storeMs - now.monotonicMs) : undefined;
    if (lateMs !== undefined && lateMs < DRIFT_MS) return;
    if (lateMs !== undefined) log.warn({ byMs: Math.round(lateMs) }, "the store's clock was set back");
    await store.transaction(records =>
      records.agenda.bringBack(now.storeMs, LONGEST_PAUSE_MS, settings.checkIntervalMs),
    );
  }
}

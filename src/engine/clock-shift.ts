import type { EnginePorts } from './ports.ts';

/** Clocks drift apart by less than this between two looks. */
const DRIFT_MS = 2000;

/** Notices that the store's clock was set, or that this server slept: then nothing is due when it should be. */
export class ClockShift {
  readonly #ports: Pick<EnginePorts, 'store' | 'clock' | 'settings' | 'log'>;
  #last: { readonly storeMs: number; readonly monotonicMs: number } | undefined;

  constructor(ports: Pick<EnginePorts, 'store' | 'clock' | 'settings' | 'log'>) {
    this.#ports = ports;
  }

  /** Looks now and then. At the first look nobody knows, so the agenda is put in order in any case. */
  async look(): Promise<void> {
    const { store, clock, log } = this.#ports;
    const now = { storeMs: await store.reads.nowMs(), monotonicMs: clock.monotonicMs() };
    const last = this.#last;
    this.#last = now;
    const byMs = last ? now.storeMs - last.storeMs - (now.monotonicMs - last.monotonicMs) : undefined;
    if (byMs !== undefined && Math.abs(byMs) < DRIFT_MS) return;
    if (byMs !== undefined) log.warn({ byMs: Math.round(byMs) }, "the store's clock was set");
    await this.putInOrder();
  }

  async putInOrder(): Promise<void> {
    const { store, settings } = this.#ports;
    const once = () =>
      store.transaction(async records =>
        records.agenda.putInOrder(await records.nowMs(), settings.checkIntervalMs),
      );
    while (await once());
  }
}

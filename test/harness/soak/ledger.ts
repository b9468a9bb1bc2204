import type { Value } from './limits.ts';
import type { Reading } from './slope.ts';
import type { Judged, Measured } from './verdict.ts';
import { judge } from './verdict.ts';
import type { Tally, WorkPerHour } from './work-per-hour.ts';

interface Account {
  readonly measured: Measured;
  readonly readings: Reading[];
}

/** All readings, by what was measured, and how much was done by then. */
export class Ledger {
  readonly #accounts = new Map<string, Account>();
  readonly tallies: Tally[] = [];
  /** How late events were. */
  readonly delays: Reading[] = [];

  add(atMs: number, values: readonly Value[]): void {
    for (const { measured, value } of values) {
      const account = this.#accounts.get(measured.what) ?? { measured, readings: [] };
      account.readings.push({ atMs, value });
      this.#accounts.set(measured.what, account);
    }
  }

  /** The latest value of each whose name ends so. */
  latest(ending: string): readonly number[] {
    return [...this.#accounts.values()]
      .filter(({ measured }) => measured.what.endsWith(ending))
      .map(({ readings }) => readings.at(-1)?.value ?? Number.NaN);
  }

  /** By what was read from then on. */
  judge(fromMs: number, work: WorkPerHour): readonly Judged[] {
    return [...this.#accounts.values()].map(({ measured, readings }) =>
      judge(
        measured,
        readings.filter(({ atMs }) => atMs >= fromMs),
        work,
      ),
    );
  }

  get readings(): Readonly<Record<string, readonly Reading[]>> {
    const all = [...this.#accounts].map(([what, { readings }]) => [what, readings] as const);
    return Object.fromEntries([...all, ['events: delay', this.delays]]);
  }
}

import type { KeyObject } from 'node:crypto';
import type { Log } from '../lib/log.ts';
import type { AlarmClock } from '../lib/time/clock.ts';
import type { Store } from '../store/store.ts';

/** What those need who write to the log. */
export interface ChainPorts {
  readonly store: Store;
  readonly clock: AlarmClock;
  readonly log: Pick<Log, 'error'>;
  /** Of the chain. */
  readonly key: KeyObject;
}

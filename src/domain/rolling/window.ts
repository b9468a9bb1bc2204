// When new hosts may be started on. Times are those of the clocks on the wall in a place, so that a window keeps its hours when
// summer time begins and ends.

import type { Weekday } from '../vocabulary.ts';

export interface MaintenanceWindow {
  /** On which it opens. */
  readonly days: readonly Weekday[];
  /** `HH:MM`. */
  readonly start: string;
  /** `HH:MM`; not after `start`: on the next day. */
  readonly end: string;
  /** A zone of the IANA database. */
  readonly zone: string;
}

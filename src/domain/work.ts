import type { Address } from './address.ts';
import type { DriverRecord } from './driver-record.ts';
import type { RecordName } from './record-name.ts';

interface OnHost {
  readonly host: Address;
  /** Which enrolment of the host it is for: a later one at the same address is another host. */
  readonly enrolment: string;
}

/**
 * Work that a change leaves to be done, saved in the transaction of the change.
 * `leave` carries what the host has to be taken out of, since the records may be gone when its turn comes.
 */
export type Work =
  | ({ readonly kind: 'bootstrap' } & OnHost)
  | ({ readonly kind: 'join'; readonly cluster: RecordName } & OnHost)
  | ({
      readonly kind: 'leave';
      readonly cluster: RecordName;
      readonly network: DriverRecord | null;
      readonly containerManager: DriverRecord | null;
    } & OnHost);

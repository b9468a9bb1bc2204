import type { Address } from './address.ts';
import type { RecordName } from './record-name.ts';

/**
 * Work that a change leaves to be done, saved in the transaction of the change.
 * `leave` says what the host has to be taken out of, since the records may be gone when its turn comes.
 */
export type Work =
  | { readonly kind: 'bootstrap'; readonly host: Address }
  | { readonly kind: 'join'; readonly host: Address; readonly cluster: RecordName }
  | {
      readonly kind: 'leave';
      readonly host: Address;
      readonly cluster: RecordName;
      readonly network: RecordName;
      readonly containerManager: RecordName | null;
    };

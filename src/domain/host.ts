import type { Address } from './address.ts';
import type { RecordName } from './record-name.ts';
import type { Sealed } from './secret.ts';
import type { HostOs, HostStatus } from './vocabulary.ts';

export interface Host {
  readonly address: Address;
  /** Tells it from an earlier or later host at the same address. */
  readonly enrolment: string;
  readonly status: HostStatus;
  /** Why it is `failed` or `unreachable`; `''` otherwise. */
  readonly reason: string;
  readonly os: HostOs;
  readonly cpus: number;
  readonly memoryKib: number;
  readonly spaceKib: number;
  /** `''` until the first check. */
  readonly lastCheck: string;
  /** The host source that its facts come from; `''` for the host itself. */
  readonly source: string;
  readonly cluster: RecordName | null;
}

declare const hostLine: unique symbol;

/** What a list of hosts tells of one, as JSON: the store keeps it ready, since such lists are long. */
export type HostLine = string & { readonly [hostLine]: true };

export const addressInLine = (line: HostLine): Address => (JSON.parse(line) as Pick<Host, 'address'>).address;

/** How the service gets into a host. */
export interface HostAccess {
  readonly remoteUser: string;
  readonly sshPort: number;
  /** The base64 text as it was sent, encrypted. */
  readonly sshPrivKey: Sealed;
  /** Public host keys that were given at enrolment; empty: the first contact is trusted. */
  readonly hostKeys: readonly string[];
}

/** What is known of a host the moment its record is made. */
export const newHost = (
  address: Address,
  {
    enrolment,
    source = '',
    cluster = null,
  }: Pick<Host, 'enrolment'> & Partial<Pick<Host, 'source' | 'cluster'>>,
): Host => ({
  address,
  enrolment,
  status: 'investigating',
  reason: '',
  os: '',
  cpus: 0,
  memoryKib: 0,
  spaceKib: 0,
  lastCheck: '',
  source,
  cluster,
});

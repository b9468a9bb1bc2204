import type { Address } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import type { Sealed } from '../secret.ts';
import type { HostStatus } from '../vocabulary.ts';
import type { HostFacts } from './host-facts.ts';
import { NO_FACTS } from './host-facts.ts';
import type { SourceFacts } from './source-facts.ts';

/** Its facts are its own: what is shown of it may come from its source (`shownFacts`). */
export interface Host extends HostFacts {
  readonly address: Address;
  /** Tells it from an earlier or later host at the same address. */
  readonly enrolment: string;
  readonly status: HostStatus;
  /** Why it is `failed` or `unreachable`; `''` otherwise. */
  readonly reason: string;
  /** `''` until the first check. */
  readonly lastCheck: string;
  /** The host source that its facts come from; `''` for the host itself. */
  readonly source: string;
  /** What that told of it the last time; null: nothing, or nobody has asked yet. */
  readonly told: SourceFacts | null;
  readonly cluster: RecordName | null;
  /** The container manager that has it as a node; null: none. */
  readonly registeredWith: RecordName | null;
  /** Why people have taken it out of service; null: they have not. */
  readonly maintenance: string | null;
}

declare const hostLine: unique symbol;

/** What a list of hosts tells of one, as JSON: the store keeps it ready, since such lists are long. */
export type HostLine = string & { readonly [hostLine]: true };

/** The same for an extended list. */
export interface ExtendedHostLine extends Pick<Host, 'reason' | 'cluster'> {
  readonly line: HostLine;
  /** As it is shown. */
  readonly hostname: string;
  readonly isInMaintenance: boolean;
  /** By code point of the key; ready as JSON, too. */
  readonly labelsJson: string;
}

export const addressInLine = (line: HostLine): Address => (JSON.parse(line) as Pick<Host, 'address'>).address;

/** How the service gets into a host. */
export interface HostAccess {
  readonly remoteUser: string;
  readonly sshPort: number;
  /** The base64 text as it was sent, encrypted; null: the service's own identity is used. */
  readonly sshPrivKey: Sealed | null;
  /** The public keys that it may show, given at enrolment or learnt at the first contact; empty: whatever it shows first is trusted. */
  readonly hostKeys: readonly string[];
  /** The type of the transport by which it is reached; `''`: whichever is the server's standard. */
  readonly transport: string;
  /** Another key that the host has shown since; null: none. */
  readonly offeredHostKey: string | null;
  /** The id of the enrolment token that let it in; null: none has. */
  readonly enrolledBy: string | null;
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
  ...NO_FACTS,
  lastCheck: '',
  source,
  told: null,
  cluster,
  registeredWith: null,
  maintenance: null,
});

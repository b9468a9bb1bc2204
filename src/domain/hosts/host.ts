import type { Address } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import type { Sealed } from '../secret.ts';
import type { HostStatus } from '../vocabulary.ts';
import type { HostFacts, SourceFacts } from './host-facts.ts';
import { UNKNOWN_FACTS } from './host-facts.ts';

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
  readonly sourceFacts: SourceFacts | null;
  readonly cluster: RecordName | null;
  /** The container manager that has it as a node; null: none. */
  readonly registeredWith: RecordName | null;
  /** Why people have taken it out of service; null: they have not. */
  readonly maintenance: string | null;
}

declare const hostEntryBrand: unique symbol;

/** What a list of hosts tells of one, as JSON: the store keeps it ready, since such lists are long. */
export type HostEntryJson = string & { readonly [hostEntryBrand]: true };

/** The same for an extended list. */
export interface ExtendedHostEntry extends Pick<Host, 'reason' | 'cluster'> {
  readonly entryJson: HostEntryJson;
  /** As it is shown. */
  readonly hostname: string;
  readonly isInMaintenance: boolean;
  /** By code point of the key; ready as JSON, too. */
  readonly labelsJson: string;
}

export const addressOfEntry = (entryJson: HostEntryJson): Address =>
  (JSON.parse(entryJson) as Pick<Host, 'address'>).address;

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
  readonly pendingHostKey: string | null;
  /** The id of the enrolment token that let it in; null: none has. */
  readonly enrolledByToken: string | null;
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
  ...UNKNOWN_FACTS,
  lastCheck: '',
  source,
  sourceFacts: null,
  cluster,
  registeredWith: null,
  maintenance: null,
});

/** Whether people have taken a host out of service, and why; in the words of the wire. */
export type Maintenance = {
  readonly on: boolean;
  /** `''`: not said, or off. */
  readonly reason: string;
};

export const toMaintenance = ({ maintenance }: Pick<Host, 'maintenance'>): Maintenance => ({
  on: maintenance !== null,
  reason: maintenance ?? '',
});

/** What people say of a host, by key. */
export type Labels = Readonly<Record<string, string>>;

/** What a host must carry to be in a list: this label with this value, or with any. */
export interface LabelFilter {
  readonly key: string;
  readonly value?: string;
}

/** `key=value`, or `key` alone. */
export function parseLabelFilter(text: string): LabelFilter {
  const [, key = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  return value === undefined ? { key } : { key, value };
}

import type { Address } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import type { Sealed } from '../secret.ts';
import type { HostStatus } from '../vocabulary.ts';
import type { HostFacts, SourceFacts } from './host-facts.ts';
import { UNKNOWN_FACTS } from './host-facts.ts';

/** Has the facts of the host itself. `effectiveFacts` returns the facts shown to users. */
export interface Host extends HostFacts {
  readonly address: Address;
  /** Distinguishes the host from other hosts at the same address over time. */
  readonly enrolment: string;
  readonly status: HostStatus;
  /** Why the host is `failed` or `unreachable`; else `''`. */
  readonly reason: string;
  /** `''` before the first check. */
  readonly lastCheck: string;
  /** The host source of its facts; `''`: the host itself. */
  readonly source: string;
  /** The last facts from the source; null: none yet. */
  readonly sourceFacts: SourceFacts | null;
  readonly cluster: RecordName | null;
  /** The container manager that has the host as a node; null: none. */
  readonly registeredWith: RecordName | null;
  /** The reason for the maintenance; null: not in maintenance. */
  readonly maintenance: string | null;
}

declare const hostEntryBrand: unique symbol;

/** A host in a host list, as JSON. The store keeps it serialized, because such lists are long. */
export type HostEntryJson = string & { readonly [hostEntryBrand]: true };

export interface ExtendedHostEntry extends Pick<Host, 'reason' | 'cluster'> {
  readonly entryJson: HostEntryJson;
  /** The effective host name. */
  readonly hostname: string;
  readonly isInMaintenance: boolean;
  /** JSON, sorted by the code points of the keys. */
  readonly labelsJson: string;
}

export const addressOfEntry = (entryJson: HostEntryJson): Address =>
  (JSON.parse(entryJson) as Pick<Host, 'address'>).address;

/** How the service connects to a host. */
export interface HostAccess {
  readonly remoteUser: string;
  readonly sshPort: number;
  /** The base64 text of the request, encrypted; null: the service key is used. */
  readonly sshPrivKey: Sealed | null;
  /** The pinned public keys, from the enrolment or the first contact. Empty: the first presented key is trusted. */
  readonly hostKeys: readonly string[];
  /** The type of the transport; `''`: the default of the server. */
  readonly transport: string;
  /** A different key that the host presented later; null: none. */
  readonly pendingHostKey: string | null;
  /** The ID of the enrolment token that enrolled the host; null: none. */
  readonly enrolledByToken: string | null;
}

export const newHost = (
  address: Address,
  { enrolment, source = '', cluster = null }: Pick<Host, 'enrolment'> & Partial<Pick<Host, 'source' | 'cluster'>>,
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

/** In wire format. */
export type Maintenance = {
  readonly on: boolean;
  /** `''`: no reason, or not in maintenance. */
  readonly reason: string;
};

export const toMaintenance = ({ maintenance }: Pick<Host, 'maintenance'>): Maintenance => ({
  on: maintenance !== null,
  reason: maintenance ?? '',
});

export type Labels = Readonly<Record<string, string>>;

/** Matches hosts with this label; without `value`, any value matches. */
export interface LabelFilter {
  readonly key: string;
  readonly value?: string;
}

/** Accepts `key=value` or `key`. */
export function parseLabelFilter(text: string): LabelFilter {
  const [, key = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  return value === undefined ? { key } : { key, value };
}

import type { Address } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import type { Sealed } from '../secret.ts';
import type { HostStatus } from '../vocabulary.ts';
import type { HostFacts, SourceFacts } from './host-facts.ts';
import { UNKNOWN_FACTS } from './host-facts.ts';

/** The facts are of the host itself. `effectiveFacts` returns the facts shown to users. */
export interface Host extends HostFacts {
  readonly address: Address;
  /** Distinguishes the host from other hosts at the same address over time. */
  readonly enrolment: string;
  readonly status: HostStatus;
  /** `''` unless `failed` or `unreachable`. */
  readonly reason: string;
  /** `''` before the first check. */
  readonly lastCheck: string;
  /** `''`: the facts come from the host itself. */
  readonly source: string;
  readonly sourceFacts: SourceFacts | null;
  readonly cluster: RecordName | null;
  /** The container manager that has the host as a node; null: none. */
  readonly registeredWith: RecordName | null;
  /** The reason; null: not in maintenance. */
  readonly maintenance: string | null;
}

declare const hostEntryBrand: unique symbol;

/** A host in a list. The store keeps it serialized, because such lists are long. */
export type HostEntryJson = string & { readonly [hostEntryBrand]: true };

export interface ExtendedHostEntry extends Pick<Host, 'reason' | 'cluster'> {
  readonly entryJson: HostEntryJson;
  /** From `effectiveFacts`. */
  readonly hostname: string;
  readonly isInMaintenance: boolean;
  /** Sorted by the code points of the keys. */
  readonly labelsJson: string;
}

export const addressOfEntry = (entryJson: HostEntryJson): Address =>
  (JSON.parse(entryJson) as Pick<Host, 'address'>).address;

export interface HostAccess {
  readonly remoteUser: string;
  readonly sshPort: number;
  /** The base64 text of the request; null: the service key is used. */
  readonly sshPrivKey: Sealed | null;
  /** Pinned. Empty: the first presented key is trusted. */
  readonly hostKeys: readonly string[];
  /** `''`: the default of the server. */
  readonly transport: string;
  /** A different key that the host presented later. */
  readonly pendingHostKey: string | null;
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
  readonly reason: string;
};

export const toMaintenance = ({ maintenance }: Pick<Host, 'maintenance'>): Maintenance => ({
  on: maintenance !== null,
  reason: maintenance ?? '',
});

export type Labels = Readonly<Record<string, string>>;

/** Without `value`, any value matches. */
export interface LabelFilter {
  readonly key: string;
  readonly value?: string;
}

export function parseLabelFilter(text: string): LabelFilter {
  const [, key = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  return value === undefined ? { key } : { key, value };
}

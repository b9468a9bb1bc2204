import type { Address } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import type { Sealed } from '../secret.ts';
import { formatTimestamp, parseTimestamp } from '../timestamp.ts';
import type { HostStatus } from '../vocabulary.ts';
import type { HostFacts, HostProperties, SourceFacts } from './host-facts.ts';
import { UNKNOWN_PROPERTIES } from './host-facts.ts';

/** The properties are of the host itself. `effectiveFacts` returns those shown to users. */
export interface Host extends HostProperties {
  readonly address: Address;
  /** Distinguishes the host from other hosts at the same address over time. */
  readonly enrolment: string;
  readonly status: HostStatus;
  /** `''` unless `failed` or `unreachable`. */
  readonly reason: string;
  /** How many boots Hostler has seen since the enrolment. */
  readonly boots: number;
  /** Start of the current boot; `''`: unknown. */
  readonly bootedAt: string;
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
  ...UNKNOWN_PROPERTIES,
  boots: 0,
  bootedAt: '',
  lastCheck: '',
  source,
  sourceFacts: null,
  cluster,
  registeredWith: null,
  maintenance: null,
});

/** The host after it reported facts at a time. */
export function withFacts(host: Host, { uptimeS = 0, ...properties }: Partial<HostFacts>, at: string): Host {
  const next = { ...host, ...properties };
  const isNewBoot = next.bootId !== host.bootId;
  // Uptimes are rounded, so the time of a known boot stays as it was first computed.
  if (!isNewBoot && (host.bootedAt !== '' || uptimeS === 0)) return next;
  return {
    ...next,
    boots: host.boots + Number(isNewBoot),
    bootedAt: uptimeS === 0 ? '' : formatTimestamp(parseTimestamp(at) - uptimeS * 1000),
  };
}

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

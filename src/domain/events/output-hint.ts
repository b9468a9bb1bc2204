import type { Address } from '../addresses/address.ts';
import { parseAddress } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import { isRecordName } from '../record-name.ts';
import { NAME_PATTERN, OPERATION_ID_PATTERN } from '../vocabulary.ts';
import type { LogFilter } from './event-log.ts';

/** What a step of an operation has said on a host is in the store. */
export interface SavedOutput {
  readonly operation: string;
  readonly cluster: RecordName;
  readonly host: Address;
}

/** Steps of an operation have said more on these hosts, and it can be read. Hints are kept nowhere, and may be lost. */
export interface OutputHint extends Omit<SavedOutput, 'host'> {
  readonly hosts: readonly Address[];
}

/** A hint on its way to other servers. */
export type HintSignal = `output ${RecordName} ${string} ${string}`;

/** As many as fit into 8000 bytes, which is PostgreSQL's limit: an address has up to 39, both names together up to 192. */
export const MOST_HOSTS_IN_HINT = 100;

const SIGNAL = new RegExp(`^output (${NAME_PATTERN}) (${OPERATION_ID_PATTERN}) ([0-9a-f.:,]+)$`);

export const hintSignal = ({ cluster, operation, hosts }: OutputHint): HintSignal =>
  `output ${cluster} ${operation} ${hosts.join(',')}`;

/** Whether it looks like one; the addresses are read by who wants them. */
export const isHintSignal = (text: string): text is HintSignal => SIGNAL.test(text);

export function hintOfSignal(signal: string): OutputHint | undefined {
  const [, cluster = '', operation = '', list = ''] = SIGNAL.exec(signal) ?? [];
  const hosts = list.split(',').flatMap(text => parseAddress(text) ?? []);
  return isRecordName(cluster) && hosts.length > 0 ? { operation, cluster, hosts } : undefined;
}

/** What of a hint somebody wants; `undefined`: nothing. */
function hintFor(hint: OutputHint, { cluster, host, operation }: LogFilter): OutputHint | undefined {
  if (cluster !== undefined && hint.cluster !== cluster) return undefined;
  if (operation !== undefined && hint.operation !== operation) return undefined;
  if (host === undefined) return hint;
  const hosts = hint.hosts.filter(each => each === host);
  return hosts.length > 0 ? { ...hint, hosts } : undefined;
}

/** The list itself where nothing is left out, so that it is written once for many. */
export function hintsFor(hints: readonly OutputHint[], filter: LogFilter): readonly OutputHint[] {
  const isFiltered = Object.values(filter).some(value => value !== undefined);
  return isFiltered ? hints.flatMap(hint => hintFor(hint, filter) ?? []) : hints;
}

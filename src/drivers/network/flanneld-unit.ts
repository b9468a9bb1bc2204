import type { Argv } from '../../domain/command.ts';
import type { HostTask, TaskHost } from '../host-task.ts';
import { flannelProof } from './flannel-proof.ts';
import { ENTER, LEAVE, UNIT } from './flanneld-script.ts';

/** What flanneld is to be run with on a host. */
export interface FlanneldSettings {
  /** The network that it is for, by the name of its record. */
  readonly name: string;
  /** Its options by their names without dashes, such as `etcd-prefix`. */
  readonly options: Readonly<Record<string, string>>;
  /** More options: paths of files that have to be on the host. */
  readonly files?: Readonly<Record<string, string>>;
  /** An option that it must know, and only some versions do. */
  readonly mustKnow?: string;
  /** What the host has to be in when it is proved; missing: any. */
  readonly network?: string;
}

const script = (text: string, ...args: readonly string[]): Argv => ['sh', '-c', text, 'sh', ...args];

/** As systemd reads it in a file of variables. */
const quoted = (value: string): string => `"${value.replace(/["\\$`]/g, '\\$&')}"`;

/** Every version takes its options from variables too, and overlooks those that it does not know. */
const variable = ([option, value]: readonly [string, string]): string =>
  `FLANNELD_${option.toUpperCase().replaceAll('-', '_')}=${quoted(value)}`;

/** The subnet is leased to the address that we know the host by, unless that is one of IPv6: flannel leases to IPv4 only. */
const leaseholder = ({ address }: TaskHost): string => (address.includes(':') ? '' : address);

/** Has a host run flanneld as a service of ours. */
export function enterTask(
  host: TaskHost,
  { name, options, files = {}, mustKnow = '', network }: FlanneldSettings,
): HostTask {
  const address = leaseholder(host);
  const given = { ...(address && { 'public-ip': address }), ...options, ...files };
  const variables = Object.entries(given).map(variable);
  const paths = Object.values(files);
  return {
    // Which program is missing says something else for each network.
    needs: [],
    hint: '',
    commands: [{ argv: script(ENTER, name, mustKnow, address, ...paths, '--', ...variables) }],
    proof: flannelProof({ unit: UNIT, ...(network !== undefined && { network }) }),
  };
}

/** Undoes that, unless the host is in another network by now. */
export const leaveTask = ({ name }: Pick<FlanneldSettings, 'name'>): HostTask => ({
  needs: [],
  hint: '',
  commands: [{ argv: script(LEAVE, name) }],
});

import type { Argv } from '../../domain/command.ts';
import type { Secret } from '../../domain/secret.ts';
import type { HostCommand, HostTask, TaskHost } from '../host-task.ts';
import { flannelProof } from './flannel-proof.ts';
import { ENTER, FILES, FOLDER, KEEP, LEAVE, UNIT } from './flanneld-script.ts';

type FlanneldFile = keyof typeof FILES;

const ALL_FILES: readonly FlanneldFile[] = ['ca', 'certificate', 'key'];

interface FlanneldFileContents {
  /** The option that is given its path. */
  readonly option: string;
  readonly contents: Secret;
}

/** What flanneld is to be run with on a host. */
export interface FlanneldSettings {
  /** Its options by their names without dashes, such as `etcd-prefix`. */
  readonly options: Readonly<Record<string, string>>;
  /** What it reads from files. */
  readonly files?: Readonly<Partial<Record<FlanneldFile, FlanneldFileContents>>>;
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
  { options, files = {}, mustKnow = '', network }: FlanneldSettings,
): HostTask {
  const given = ALL_FILES.flatMap(file => (files[file] ? [{ ...files[file], name: FILES[file] }] : []));
  const address = leaseholder(host);
  const variables = [
    ...Object.entries({ ...(address && { 'public-ip': address }), ...options }),
    ...given.map(({ option, name }) => [option, `${FOLDER}/${name}`] as const),
  ].map(variable);
  const keep = given.map(
    ({ name, contents }): HostCommand => ({ argv: script(KEEP, name), input: contents }),
  );
  const names = given.map(({ name }) => name);
  return {
    // Which program is missing says something else for each network.
    needs: [],
    hint: '',
    commands: [...keep, { argv: script(ENTER, mustKnow, address, ...variables, '--', ...names) }],
    proof: flannelProof({ unit: UNIT, ...(network !== undefined && { network }) }),
  };
}

/** Undoes that. */
export const leaveTask = (): HostTask => ({ needs: [], hint: '', commands: [{ argv: script(LEAVE) }] });

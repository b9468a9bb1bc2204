import ipaddr from 'ipaddr.js';
import Type from 'typebox';
import type { Argv, HostQuery } from '../../domain/command.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { CommandPlan, HostRef } from '../command-plan.ts';
import { INSTALL_FLANNELD, REMOVE_FLANNELD, SUBNET_FILE, UNIT } from './flanneld-script.ts';

export interface FlannelExpectation {
  /** The service that must run; missing: somebody else's. */
  readonly unit?: string;
  /** Missing: any. */
  readonly network?: string;
}

// What flanneld itself has said last, since systemd's own words of the unit only tell that it ended.
const READ_FLANNEL_STATE = `if [ -n "$1" ]; then
  printf 'state %s\\n' "$(systemctl is-active "$1")"
  printf 'said %s\\n' "$(journalctl _SYSTEMD_UNIT="$1" --lines=1 --output=cat --no-pager --quiet 2>/dev/null)"
fi
if [ -f ${SUBNET_FILE} ]; then
  while read -r line; do printf 'has %s\\n' "$line"; done <${SUBNET_FILE}
fi`;

/** As flanneld and people write it, one as the other. */
export function isSameNetwork(one: string, other: string): boolean {
  try {
    const [first, second] = [one, other].map(text => {
      const [address, length] = ipaddr.parseCIDR(text);
      const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
      return `${kind.networkAddressFromCIDR(`${address}/${length}`)}/${length}`;
    });
    return first === second;
  } catch {
    return false;
  }
}

/** What is still missing for a host to be in flannel's network. */
export const flannelReadyQuery = ({ unit = '', network }: FlannelExpectation): HostQuery<string> => ({
  argv: ['sh', '-c', READ_FLANNEL_STATE, 'sh', unit],
  parse({ exitCode, stdout }) {
    if (exitCode !== 0) return undefined;
    const lines = Buffer.from(stdout).toString().split('\n');
    const valuesOf = (key: string) =>
      lines.flatMap(line => (line.startsWith(`${key} `) ? line.slice(key.length + 1) : []));
    const findSetting = (name: string) =>
      valuesOf('has')
        .find(line => line.startsWith(`${name}=`))
        ?.slice(name.length + 1);
    const [state = ''] = valuesOf('state');
    const [lastOutput = ''] = valuesOf('said');
    if (unit !== '' && state !== 'active')
      return `flanneld is ${sanitizeLine(state, 20) || 'missing'}${lastOutput && `; its last output: ${sanitizeLine(lastOutput)}`}`;
    if (!findSetting('FLANNEL_SUBNET') && !findSetting('FLANNEL_IPV6_SUBNET'))
      return `${SUBNET_FILE} has no subnet: flannel has not assigned one to the host`;
    const found = [findSetting('FLANNEL_NETWORK'), findSetting('FLANNEL_IPV6_NETWORK')].filter(
      text => text !== undefined,
    );
    if (network === undefined || found.some(text => isSameNetwork(text, network))) return '';
    return `flannel placed the host in ${sanitizeLine(found.join(' ')) || 'no network'} instead of ${network}`;
  },
});

/** What flanneld is to be run with on a host. */
export interface FlanneldSettings {
  /** The network that it is for, by the name of its record. */
  readonly name: string;
  /** Its options by their names without dashes, such as `etcd-prefix`. */
  readonly options: Readonly<Record<string, string>>;
  /** More options: paths of files that have to be on the host. */
  readonly files?: Readonly<Record<string, string>>;
  /** An option that it must know, and only some versions do. */
  readonly requiredFlag?: string;
  /** What the host has to be in when it is proved; missing: any. */
  readonly network?: string;
}

const scriptArgv = (text: string, ...args: readonly string[]): Argv => ['sh', '-c', text, 'sh', ...args];

/** As systemd reads it in a file of variables. */
const quoteForSystemd = (value: string): string => `"${value.replace(/["\\$`]/g, '\\$&')}"`;

/** Every version takes its options from variables too, and overlooks those that it does not know. */
const toVariable = ([option, value]: readonly [string, string]): string =>
  `FLANNELD_${option.toUpperCase().replaceAll('-', '_')}=${quoteForSystemd(value)}`;

/** The subnet is leased to the address that we know the host by, unless that is one of IPv6: flannel leases to IPv4 only. */
const publicIpOf = ({ address }: HostRef): string => (address.includes(':') ? '' : address);

/** Has a host run flanneld as a service of ours. */
export function flanneldJoinPlan(
  host: HostRef,
  { name, options, files = {}, requiredFlag = '', network }: FlanneldSettings,
): CommandPlan {
  const address = publicIpOf(host);
  const flags = { ...(address && { 'public-ip': address }), ...options, ...files };
  const variables = Object.entries(flags).map(toVariable);
  const paths = Object.values(files);
  return {
    // Which program is missing says something else for each network.
    requiredPrograms: [],
    installHint: '',
    commands: [
      { argv: scriptArgv(INSTALL_FLANNELD, name, requiredFlag, address, ...paths, '--', ...variables) },
    ],
    readyQuery: flannelReadyQuery({ unit: UNIT, ...(network !== undefined && { network }) }),
  };
}

/** Undoes that, unless the host is in another network by now. */
export const flanneldLeavePlan = ({ name }: Pick<FlanneldSettings, 'name'>): CommandPlan => ({
  requiredPrograms: [],
  installHint: '',
  commands: [{ argv: scriptArgv(REMOVE_FLANNELD, name) }],
});

/** flannel's `Backend`: only its type, or the whole object as flannel documents it. */
export const backendOption = Type.Union(
  [Type.String({ pattern: '^[a-z0-9-]{1,32}$' }), Type.Object({ Type: Type.String({ minLength: 1 }) })],
  {
    rule: 'must be a backend type such as vxlan, or an object with the field Type',
    description: 'Backend of flannel: `vxlan`, `host-gw`, …, or the whole `Backend` object.',
  },
);

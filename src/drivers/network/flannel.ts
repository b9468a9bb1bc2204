import ipaddr from 'ipaddr.js';
import Type from 'typebox';
import type { HostQuery } from '../../domain/command.ts';
import { scriptArgv } from '../../domain/command.ts';
import { tryOr } from '../../lib/errors.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { CommandPlan, HostRef } from '../command-plan.ts';
import { INSTALL_FLANNELD, REMOVE_FLANNELD, SUBNET_FILE, UNIT } from './flanneld-script.ts';

// Reads the last output of flanneld itself, because messages of systemd only say that the unit has ended.
export const READ_FLANNEL_STATE = `if [ -n "$1" ]; then
  printf 'state %s\\n' "$(systemctl is-active "$1")"
  printf 'output %s\\n' "$(journalctl _SYSTEMD_UNIT="$1" --lines=1 --output=cat --no-pager --quiet 2>/dev/null)"
fi
if [ -f ${SUBNET_FILE} ]; then
  while read -r line; do printf 'setting %s\\n' "$line"; done <${SUBNET_FILE}
fi`;

function networkAddress(cidr: string): string {
  const [address, length] = ipaddr.parseCIDR(cidr);
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(`${address}/${length}`)}/${length}`;
}

/** Compares the network addresses, because host bits may be set. */
export const isSameNetwork = (a: string, b: string): boolean =>
  tryOr(false, () => networkAddress(a) === networkAddress(b));

/** Returns what is missing until the host has a flannel subnet. */
export const flannelReadyQuery = (network?: string, unit = ''): HostQuery<string> => ({
  argv: scriptArgv(READ_FLANNEL_STATE, unit),
  parse({ exitCode, stdout }) {
    if (exitCode !== 0) return undefined;
    const lines = Buffer.from(stdout).toString().split('\n');
    const valuesOf = (key: string) =>
      lines.flatMap(line => (line.startsWith(`${key} `) ? line.slice(key.length + 1) : []));
    const findSetting = (name: string) =>
      valuesOf('setting')
        .find(line => line.startsWith(`${name}=`))
        ?.slice(name.length + 1);
    const [state = ''] = valuesOf('state');
    const [lastOutput = ''] = valuesOf('output');
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

export interface FlanneldSettings {
  readonly name: string;
  /** Command line options of flanneld without dashes, such as `etcd-prefix`. */
  readonly options: Readonly<Record<string, string>>;
  /** Options whose values are paths of files that must exist on the host. */
  readonly files?: Readonly<Record<string, string | undefined>>;
  /** Option that flanneld must support; only some versions do. */
  readonly requiredFlag?: string;
  /** Network that the ready query expects; any if undefined. */
  readonly network?: string | undefined;
}

const quoteForSystemd = (value: string): string => `"${value.replace(/["\\$`]/g, '\\$&')}"`;

/** All versions of flanneld read options from environment variables and ignore unknown ones. */
const toVariable = ([option, value]: readonly [string, string]): string =>
  `FLANNELD_${option.toUpperCase().replaceAll('-', '_')}=${quoteForSystemd(value)}`;

export function flanneldJoinPlan(
  host: HostRef,
  { name, options, files = {}, requiredFlag = '', network }: FlanneldSettings,
): CommandPlan {
  // flannel leases subnets to IPv4 addresses only.
  const address = host.address.includes(':') ? '' : host.address;
  const isSet = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;
  const paths = Object.values(files).filter(file => file !== undefined);
  const flags = { ...(address && { 'public-ip': address }), ...options, ...files };
  const variables = Object.entries(flags).filter(isSet).map(toVariable);
  return {
    // The script checks for programs itself, because the message depends on the network.
    commands: [{ argv: scriptArgv(INSTALL_FLANNELD, name, requiredFlag, address, ...paths, '--', ...variables) }],
    readyQuery: flannelReadyQuery(network, UNIT),
  };
}

/** Does nothing if the host has joined another network since. */
export const flanneldLeavePlan = (name: string): CommandPlan => ({
  commands: [{ argv: scriptArgv(REMOVE_FLANNELD, name) }],
});

export const backendOption = Type.Union(
  [Type.String({ pattern: '^[a-z0-9-]{1,32}$' }), Type.Object({ Type: Type.String({ minLength: 1 }) })],
  {
    rule: 'must be a backend type such as vxlan, or an object with the field Type',
    description: 'Backend of flannel: `vxlan`, `host-gw`, …, or the whole `Backend` object.',
  },
);

import ipaddr from 'ipaddr.js';
import type { Question } from '../../domain/command.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { SUBNET_FILE } from './flanneld-script.ts';

export interface FlannelProof {
  /** The service that must run; missing: somebody else's. */
  readonly unit?: string;
  /** Missing: any. */
  readonly network?: string;
}

// What flanneld itself has said last, since systemd's own words of the unit only tell that it ended.
const PROOF = `if [ -n "$1" ]; then
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
export const flannelProof = ({ unit = '', network }: FlannelProof): Question<string> => ({
  argv: ['sh', '-c', PROOF, 'sh', unit],
  read({ exitCode, stdout }) {
    if (exitCode !== 0) return undefined;
    const lines = Buffer.from(stdout).toString().split('\n');
    const told = (word: string) =>
      lines.flatMap(line => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []));
    const settingOf = (name: string) =>
      told('has')
        .find(line => line.startsWith(`${name}=`))
        ?.slice(name.length + 1);
    const [state = ''] = told('state');
    const [said = ''] = told('said');
    if (unit !== '' && state !== 'active')
      return `flanneld is ${harmless(state, 20) || 'missing'}${said && `; its last output: ${harmless(said)}`}`;
    if (!settingOf('FLANNEL_SUBNET') && !settingOf('FLANNEL_IPV6_SUBNET'))
      return `${SUBNET_FILE} has no subnet: flannel has not assigned one to the host`;
    const found = [settingOf('FLANNEL_NETWORK'), settingOf('FLANNEL_IPV6_NETWORK')].filter(
      text => text !== undefined,
    );
    if (network === undefined || found.some(text => isSameNetwork(text, network))) return '';
    return `flannel placed the host in ${harmless(found.join(' ')) || 'no network'} instead of ${network}`;
  },
});

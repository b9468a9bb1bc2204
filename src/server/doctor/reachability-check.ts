import net from 'node:net';
import type { Address } from '../../domain/addresses/address.ts';
import { addressOfEntry } from '../../domain/hosts/host.ts';
import { codeOrMessage } from '../../lib/errors/code-or-message.ts';
import { plural } from '../../lib/text/plural.ts';
import type { Store } from '../../store/store.ts';
import type { Check } from './check.ts';
import { ok, problem, warning } from './check.ts';

/** Enough to tell a fault of this machine from one of a host. */
const TRIED = 10;
const ANSWER_WITHIN_MS = 3000;

/** Why nobody answers there; `undefined`: somebody does. Nothing is said to it. */
function silenceOf(host: string, port: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = net.connect({ host, port, timeout: ANSWER_WITHIN_MS });
    const end = (reason: string | undefined) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => end(undefined));
    socket.once('timeout', () => end(`no response within ${ANSWER_WITHIN_MS / 1000} s`));
    socket.once('error', error => end(codeOrMessage(error)));
  });
}

async function tryHost({ reads }: Store, address: Address): Promise<string | undefined> {
  const { sshPort } = (await reads.hostAccess.get(address)) ?? {};
  const reason = sshPort === undefined ? undefined : await silenceOf(address, sshPort);
  return reason && `${address} port ${sshPort}: ${reason}`;
}

export const reachabilityCheck: Check = {
  name: 'reachability',
  settings: ['store', 'data', 'transport', 'openssh_config'],
  find: async ({ store, config }) => {
    if (config.transport === 'none')
      return [ok('skipped: this server does not connect to hosts (transport is none)')];
    if (config.openssh_config !== undefined)
      return [ok('skipped: with openssh_config, hosts may be reachable only through jump hosts')];
    const opened = await store();
    const { items } = await opened.reads.hosts.list({}, { limit: TRIED });
    if (items.length === 0) return [ok('no hosts')];
    const silences = await Promise.all(items.map(line => tryHost(opened, addressOfEntry(line))));
    const silent = silences.filter(reason => reason !== undefined);
    const checked = `checked ${plural(items.length, 'host')}`;
    if (silent.length === 0) return [ok(`${checked}: all accept connections on their SSH port`)];
    if (silent.length === items.length)
      return [
        problem(
          `${checked}: none accepts connections on its SSH port (${silent[0]}); check the network and the firewall of this machine`,
        ),
      ];
    const some = silent.length === 1 ? '1 does not' : `${silent.length} do not`;
    return [warning(`${checked}: ${some} accept connections on the SSH port (${silent[0]})`)];
  },
};

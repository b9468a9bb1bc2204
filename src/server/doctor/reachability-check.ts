import net from 'node:net';
import type { Address } from '../../domain/addresses/address.ts';
import { addressInLine } from '../../domain/hosts/host.ts';
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
    if (config.transport === 'none') return [ok('this server reaches no host, since its transport is none')];
    if (config.openssh_config !== undefined)
      return [ok('not tried: the ssh_config may lead to hosts by way of others')];
    const opened = await store();
    const { items } = await opened.reads.hosts.list({}, { limit: TRIED });
    if (items.length === 0) return [ok('there are no hosts')];
    const silences = await Promise.all(items.map(line => tryHost(opened, addressInLine(line))));
    const silent = silences.filter(reason => reason !== undefined);
    const tried = `of ${plural(items.length, 'host')} that ${items.length === 1 ? 'was' : 'were'} tried`;
    if (silent.length === 0) return [ok(`${items.length} ${tried} answer at their port of SSH`)];
    if (silent.length === items.length)
      return [
        problem(
          `none ${tried} answers at its port of SSH (${silent[0]}); look at the network and the firewall of this machine`,
        ),
      ];
    return [warning(`${silent.length} ${tried} do not answer at their port of SSH (${silent[0]})`)];
  },
};

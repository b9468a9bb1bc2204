import net from 'node:net';
import type { Address } from '../../domain/addresses/address.ts';
import { addressOfEntry } from '../../domain/hosts/host.ts';
import { HOST_STATUSES, UNHEALTHY_STATUSES } from '../../domain/vocabulary.ts';
import { errorCodeOrMessage } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text.ts';
import type { Store } from '../../store/store.ts';
import type { DoctorCheck } from './check.ts';
import { failure, ok, warning } from './check.ts';

export const hostsCheck: DoctorCheck = {
  name: 'hosts',
  requiredSettings: ['store', 'data'],
  run: async ({ store }) => {
    const counts = await (await store()).reads.hosts.countByStatus();
    const countOf = (status: (typeof HOST_STATUSES)[number]) => counts.get(status) ?? 0;
    const total = HOST_STATUSES.reduce((sum, status) => sum + countOf(status), 0);
    if (total === 0) return ok('no hosts');
    const countTexts = HOST_STATUSES.filter(status => countOf(status) > 0).map(
      status => `${countOf(status)} ${status}`,
    );
    const text = `${formatCount(total, 'host')}: ${countTexts.join(', ')}`;
    const unhealthy = HOST_STATUSES.filter(status => UNHEALTHY_STATUSES.includes(status) && countOf(status) > 0);
    if (unhealthy.length === 0) return ok(text);
    if (countOf('unreachable') * 2 > total)
      return warning(`${text}; most hosts are unreachable: check the network of this machine`);
    return warning(`${text}; list them with: hostler host list --status ${unhealthy[0]}`);
  },
};

/** Enough hosts to distinguish a network problem of this machine from the failure of a host. */
const SAMPLE_SIZE = 10;
const CONNECT_TIMEOUT_MS = 3000;

/** Returns why the port does not accept connections; `undefined` if it does. Sends nothing. */
function probePort(host: string, port: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = net.connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
    const finish = (reason: string | undefined) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => finish(undefined));
    socket.once('timeout', () => finish(`no response within ${CONNECT_TIMEOUT_MS / 1000} s`));
    socket.once('error', error => finish(errorCodeOrMessage(error)));
  });
}

async function probeHost({ reads }: Store, address: Address): Promise<string | undefined> {
  const { sshPort } = (await reads.hostAccess.get(address)) ?? {};
  const reason = sshPort === undefined ? undefined : await probePort(address, sshPort);
  return reason && `${address} port ${sshPort}: ${reason}`;
}

export const reachabilityCheck: DoctorCheck = {
  name: 'reachability',
  requiredSettings: ['store', 'data', 'transport', 'openssh_config'],
  run: async ({ store, config }) => {
    if (config.transport === 'none') return ok('skipped: this server does not connect to hosts (transport is none)');
    if (config.openssh_config !== undefined)
      return ok('skipped: with openssh_config, hosts may be reachable only through jump hosts');
    const opened = await store();
    const { items } = await opened.reads.hosts.list({}, { limit: SAMPLE_SIZE });
    if (items.length === 0) return ok('no hosts');
    const probeErrors = await Promise.all(items.map(line => probeHost(opened, addressOfEntry(line))));
    const failures = probeErrors.filter(reason => reason !== undefined);
    const checked = `checked ${formatCount(items.length, 'host')}`;
    if (failures.length === 0) return ok(`${checked}: all accept connections on their SSH port`);
    if (failures.length === items.length)
      return failure(
        `${checked}: none accepts connections on its SSH port (${failures[0]}); check the network and the firewall of this machine`,
      );
    const failed = failures.length === 1 ? '1 does not' : `${failures.length} do not`;
    return warning(`${checked}: ${failed} accept connections on the SSH port (${failures[0]})`);
  },
};

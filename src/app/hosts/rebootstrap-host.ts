import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { hostStatusEvent } from '../../domain/events/status-events.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { hostKeyFingerprint } from '../../domain/hosts/host-key.ts';
import { STATUS_TRANSITIONS } from '../../domain/hosts/host-status.ts';
import { checkHostNotInOperation, lockHostWithOperation } from '../operations/operation-hosts.ts';
import type { Ports } from '../ports.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { hostNotFound } from './read-hosts.ts';

/** The caller must have locked the host. */
export async function restartBootstrap(
  { records, emit, createTasks, requestReconcile, now }: UnitOfWork,
  host: Host,
): Promise<Host> {
  const { address, enrolment, status: from } = host;
  const to = STATUS_TRANSITIONS[from].rebootstrap_requested;
  await records.hosts.setStatus([address], to, '', now());
  await records.tasks.removeByKind(address, 'bootstrap');
  await createTasks({ kind: 'bootstrap', host: address, enrolment });
  if (from !== to) await emit(hostStatusEvent(host, to));
  if (host.cluster !== null) requestReconcile(host.cluster);
  return { ...host, status: to, reason: '' };
}

/** In any status. */
export async function rebootstrapHost(ports: Ports, actor: Actor, address: Address): Promise<Host | AppError> {
  return runUnitOfWork(ports, actor, async unit => {
    const { records } = unit;
    const { host, operation } = await lockHostWithOperation(records, address);
    if (host === undefined) return hostNotFound(address);
    return (await checkHostNotInOperation(records, operation, host)) ?? restartBootstrap(unit, host);
  });
}

/** The host may be a different machine, so it is bootstrapped again. */
export async function acceptHostKey(
  ports: Ports,
  actor: Actor,
  { address, fingerprint }: { readonly address: Address; readonly fingerprint: string },
): Promise<Host | AppError> {
  return runUnitOfWork(ports, actor, async unit => {
    const { records, emit } = unit;
    const host = await records.hosts.lock(address);
    const access = host && (await records.hostAccess.get(address));
    if (host === undefined || access === undefined) return hostNotFound(address);
    const pendingKey = access.pendingHostKey;
    if (pendingKey === null) {
      return new AppError('no_pending_host_key', `the host ${address} has no pending host key`);
    }
    if (hostKeyFingerprint(pendingKey) !== fingerprint) {
      return new AppError(
        'fingerprint_mismatch',
        `the host ${address} presented the key ${hostKeyFingerprint(pendingKey)}, not ${fingerprint}`,
      );
    }
    await records.hostAccess.pinHostKey(address, pendingKey);
    await emit({
      type: 'host.key_accepted',
      subject: address,
      host: address,
      cluster: host.cluster,
      data: { fingerprint },
    });
    return restartBootstrap(unit, host);
  });
}

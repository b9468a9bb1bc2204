import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import { hostStatusEvent } from '../../domain/events/status-events.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { STATUS_TRANSITIONS } from '../../domain/hosts/host-status.ts';
import type { Change } from '../change.ts';
import { change } from '../change.ts';
import { lockHostWithOperation, operationProblem } from '../operations/in-operation.ts';
import type { Ports } from '../ports.ts';
import { unknownHost } from './read-hosts.ts';

/** Lets a host begin anew, as part of a change that has locked it. Answers the host as it is then. */
export async function beginAnew({ records, tell, saveWork, news, now }: Change, host: Host): Promise<Host> {
  const { address, enrolment, status: from } = host;
  const to = STATUS_TRANSITIONS[from].rebootstrap_requested;
  await records.hosts.setStatus([address], to, '', now());
  await records.work.drop(address, 'bootstrap');
  await saveWork({ kind: 'bootstrap', host: address, enrolment });
  if (from !== to) await tell(hostStatusEvent(host, to));
  if (host.cluster !== null) news(host.cluster);
  return { ...host, status: to, reason: '' };
}

/** Investigates and bootstraps a host once more, whatever its status. */
export async function bootstrapAgain(ports: Ports, actor: Actor, address: Address): Promise<Host | AppError> {
  return change(ports, actor, async under => {
    const { records } = under;
    const { host, operation } = await lockHostWithOperation(records, address);
    if (host === undefined) return unknownHost(address);
    return (await operationProblem(records, operation, host)) ?? beginAnew(under, host);
  });
}

import { sanitizeLine } from '../../lib/sanitize.ts';
import { isStoppedByOutages } from '../../sdk/blocking-hosts.ts';
import type { OperationOverview } from '../../sdk/operation-progress.ts';
import { PARTITION_ADVICE } from '../../sdk/operation-text.ts';

/** A longer command would not fit on a screen. `operation show -o json` lists all hosts. */
const MAX_ADDRESSES_PRINTED = 50;

/** Continues an operation without the hosts that stopped it; empty if they are unknown or a retry is not possible. */
export function retryWithoutHostsCommand(operation: OperationOverview): string {
  const { id, can, unavailable_hosts: hosts } = operation;
  if (!isStoppedByOutages(operation) || hosts.length === 0 || !can.includes('retry')) return '';
  const addresses =
    hosts.length > MAX_ADDRESSES_PRINTED ? 'HOSTS' : hosts.map(({ address }) => sanitizeLine(address)).join(',');
  return `hostler operation retry ${id} --exclude ${addresses}`;
}

export function getNextSteps(operation: OperationOverview): readonly string[] {
  const { can, id, paused_by } = operation;
  const actions = (['retry', 'skip', 'resume', 'cancel'] as const).filter(action => can.includes(action));
  if (paused_by === 'window' || actions.length === 0) return [];
  const exclude = retryWithoutHostsCommand(operation);
  return [
    ...(paused_by === 'partitioned' ? PARTITION_ADVICE : []),
    ...(exclude === '' ? [] : [`continue without these hosts: ${exclude}`]),
    `run one of: hostler operation ${actions.join('|')} ${id}`,
  ];
}

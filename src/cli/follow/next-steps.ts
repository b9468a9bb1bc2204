import { isStoppedByOutages } from '../../client/blocking-hosts.ts';
import type { Whole } from '../../client/operation-progress.ts';
import { PARTITION_ADVICE } from '../../client/operation-words.ts';
import { harmless } from '../../lib/text/harmless.ts';

/** With more hosts than these the command would not fit on a screen; `operation show -o json` lists all of them. */
const MAX_ADDRESSES_PRINTED = 50;

/** The command that continues an operation without the hosts that stopped it; empty if no such hosts are known, or it cannot be retried. */
export function retryWithoutHostsCommand(
  whole: Pick<Whole, 'id' | 'can' | 'unavailable_hosts'> & StopReason,
): string {
  const { id, can, unavailable_hosts: hosts = [] } = whole;
  if (!isStoppedByOutages(whole) || hosts.length === 0 || !can.includes('retry')) return '';
  const addresses =
    hosts.length > MAX_ADDRESSES_PRINTED
      ? 'ADDRESSES'
      : hosts.map(({ address }) => harmless(address)).join(',');
  return `hostler operation retry ${id} --exclude ${addresses}`;
}

type StopReason = Parameters<typeof isStoppedByOutages>[0];

/** What a person can do about a paused operation, as commands; one line for each choice. */
export function nextSteps(whole: Whole): readonly string[] {
  const { can, id, paused_by } = whole;
  const verbs = (['retry', 'skip', 'resume', 'cancel'] as const).filter(verb => can.includes(verb));
  if (paused_by === 'window' || verbs.length === 0) return [];
  const exclude = retryWithoutHostsCommand(whole);
  return [
    ...(paused_by === 'partitioned' ? PARTITION_ADVICE : []),
    ...(exclude === '' ? [] : [`continue without these hosts: ${exclude}`]),
    `run one of: hostler operation ${verbs.join('|')} ${id}`,
  ];
}

import { isDeepStrictEqual } from 'node:util';
import { statusTold } from '../domain/events/status-told.ts';
import type { Host } from '../domain/hosts/host.ts';
import { statusAfter } from '../domain/hosts/host-status.ts';
import type { Learned } from '../domain/hosts/learned.ts';
import { TROUBLES } from '../domain/vocabulary.ts';
import type { HostChange } from './change-host.ts';

/** Writes what was learnt about a host, and tells it when that changes its status. */
export async function recordLearned(
  { records, tell, at, news }: Pick<HostChange, 'records' | 'tell' | 'at' | 'news'>,
  host: Host,
  learned: Learned,
): Promise<Host> {
  const { address, cluster } = host;
  const containerManager =
    (cluster === null ? undefined : await records.clusters.get(cluster))?.containerManager ?? null;
  // It may have left since it was registered; then what takes it out again waits already.
  const isStillWanted = learned.registeredWith !== undefined && learned.registeredWith === containerManager;
  const registeredWith = isStillWanted ? containerManager : host.registeredWith;
  const settlement = { cluster, containerManager, registeredWith };
  const status = learned.cause ? statusAfter(host.status, learned.cause, settlement) : host.status;
  const reason = TROUBLES.includes(status) ? (learned.reason ?? host.reason) : '';
  const lastCheck = learned.check !== undefined || learned.facts ? at : host.lastCheck;
  const next: Host = { ...host, ...learned.facts, registeredWith, status, reason, lastCheck };
  if (learned.check) await records.hosts.updateChecked(next, { at, result: learned.check });
  else if (!isDeepStrictEqual(next, host)) await records.hosts.update(next);
  if (learned.hostKey !== undefined) await records.hostAccess.pinHostKey(address, learned.hostKey);
  if (learned.offeredKey !== undefined) await records.hostAccess.setOffered(address, learned.offeredKey);
  if (status !== host.status) {
    await records.hosts.setStatusSince(address, at);
    await tell(statusTold(host, status, { reason }));
    if (cluster !== null) news(cluster);
  }
  return next;
}

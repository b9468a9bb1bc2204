import type { AppError } from '../../domain/errors.ts';
import { appErrorFromFields } from '../../domain/errors.ts';
import { isRecordName } from '../../domain/record-name.ts';
import type { HostFilter } from '../../store/repositories/hosts/host-filter.ts';
import type { Ports } from '../ports.ts';

/** What hosts are asked for; the words as they were sent. */
export interface HostQuery extends Omit<HostFilter, 'cluster'> {
  /** `null`: hosts that are in none. */
  readonly cluster?: string | null | undefined;
}

/** What the store is to look for; null: what no host can be. */
export function hostFilterOf(
  { drivers }: Pick<Ports, 'drivers'>,
  { cluster, ...query }: HostQuery,
): HostFilter | AppError | null {
  const { osNames } = drivers.os;
  if (query.os && !osNames.includes(query.os)) {
    const message = `must be one of ${osNames.join(', ')}, or empty`;
    return appErrorFromFields('invalid_query', [{ path: '/os', message }], 'the query');
  }
  // What is no name is the name of no cluster.
  if (typeof cluster === 'string' && !isRecordName(cluster)) return null;
  return { ...query, cluster };
}

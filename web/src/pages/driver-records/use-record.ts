import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { DriverRecord } from '#contract/routes/driver-records.ts';
import type { Tagged } from '../../api/client.ts';
import { answerOf, api, readTagged } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import type { Kind } from './kinds.ts';

export type ReadRecord = Tagged<Static<typeof DriverRecord>>;

export const readRecord = (kind: Kind, name: string): Promise<ReadRecord> => readTagged(kind.get({ name }));

export const useRecord = (kind: Kind, name: string) =>
  useQuery({ queryKey: kind.keys.one(name), queryFn: () => readRecord(kind, name) });

/** What there is to be chosen from. It changes with the version of the service only. */
export function useDrivers(kind: Kind) {
  const { data } = useQuery({ queryKey: keys.drivers, queryFn: () => answerOf(api.listDrivers()) });
  return data?.[kind.key];
}

import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { DriverRecord } from '#contract/driver-records.ts';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import type { Options } from '../../ui/schema-form/form-options.ts';
import type { Kind } from './kinds.ts';

/** A record as it was read, and what says so when it is changed. */
export interface ReadRecord extends Omit<Static<typeof DriverRecord>, 'options'> {
  readonly options: Options;
  readonly etag: string;
}

async function readRecord(kind: Kind, name: string): Promise<ReadRecord> {
  const { body, headers } = await kind.get({ name });
  return { ...body, etag: headers.get('etag') ?? '' };
}

export const useRecord = (kind: Kind, name: string) =>
  useQuery({ queryKey: kind.keys.one(name), queryFn: () => readRecord(kind, name) });

/** What there is to be chosen from. It changes with the version of the service only. */
export function useDrivers(kind: Kind) {
  const { data } = useQuery({ queryKey: keys.drivers, queryFn: () => answerOf(api.listDrivers()) });
  return data?.[kind.key];
}

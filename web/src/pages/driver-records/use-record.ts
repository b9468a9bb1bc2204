import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { DriverRecord } from '#contract/routes/driver-records.ts';
import type { Role } from '#vocabulary';
import { REDACTED_OPTION } from '#vocabulary';
import type { Tagged } from '../../api/client.ts';
import { answerOf, api, readTagged } from '../../api/client.ts';
import { askForConfirmation } from '../../api/confirmation.ts';
import { keys } from '../../api/keys.ts';
import type { Kind } from './kinds.ts';

export type ReadRecord = Tagged<Static<typeof DriverRecord>>;

const readRecord = (kind: Kind, name: string): Promise<ReadRecord> => readTagged(kind.get({ name }));

/** Whether secret options are hidden only because the password is not confirmed. Other roles than `admin` never see them. */
export const isHiddenUntilConfirmed = ({ options }: Pick<ReadRecord, 'options'>, role: Role): boolean =>
  role === 'admin' && Object.values(options).includes(REDACTED_OPTION);

/**
 * Reads a record for the edit form. A GET is never refused with `confirmation_needed`, so this asks for the password if secret options are
 * hidden. They stay hidden if the user cancels.
 */
export async function readForEdit(kind: Kind, name: string, role: Role): Promise<ReadRecord> {
  const record = await readRecord(kind, name);
  return isHiddenUntilConfirmed(record, role) && (await askForConfirmation())
    ? readRecord(kind, name)
    : record;
}

export const useRecord = (kind: Kind, name: string) =>
  useQuery({ queryKey: kind.keys.one(name), queryFn: () => readRecord(kind, name) });

/** What there is to be chosen from. It changes with the version of the service only. */
export function useDrivers(kind: Kind) {
  const { data } = useQuery({ queryKey: keys.drivers, queryFn: () => answerOf(api.listDrivers()) });
  return data?.[kind.key];
}

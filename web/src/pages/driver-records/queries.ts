import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { DriverRecord } from '#contract/routes/driver-records.ts';
import type { Role } from '#vocabulary';
import { REDACTED_OPTION } from '#vocabulary';
import type { WithEtag } from '../../api/client.ts';
import { api, fetchWithEtag } from '../../api/client.ts';
import { requestConfirmation } from '../../api/confirmation.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import type { RecordKind } from './record-kinds.ts';

export type RecordWithEtag = WithEtag<Static<typeof DriverRecord>>;

const fetchRecord = (kind: RecordKind, name: string): Promise<RecordWithEtag> => fetchWithEtag(kind.get({ name }));

/**
 * True if secret options are hidden only because the password is not confirmed. Roles other than `admin` never see
 * them.
 */
export const isHiddenUntilConfirmed = ({ options }: Pick<RecordWithEtag, 'options'>, role: Role): boolean =>
  role === 'admin' && Object.values(options).includes(REDACTED_OPTION);

/**
 * Fetches a record for the edit form. The server never rejects a GET with `confirmation_needed`, so this function
 * requests the confirmation if secret options are hidden. They stay hidden if the user cancels.
 */
export async function fetchForEdit(kind: RecordKind, name: string, role: Role): Promise<RecordWithEtag> {
  const record = await fetchRecord(kind, name);
  return isHiddenUntilConfirmed(record, role) && (await requestConfirmation()) ? fetchRecord(kind, name) : record;
}

export const useRecord = (kind: RecordKind, name: string) =>
  useQuery({ queryKey: kind.queryKeys.record(name), queryFn: () => fetchRecord(kind, name) });

/** Drivers change only with the version of the server. */
export const useDrivers = (kind: RecordKind) =>
  useApiQuery(queryKeys.drivers, () => api.listDrivers()).data?.[kind.key];

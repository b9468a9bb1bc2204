// The rejection of a host that is already enrolled with other values. The server names the fields of the API; the command line and the
// dashboard have their own names for them.

import type { Problem } from '../contract/problem.ts';

/** Fields that can be replaced without enrolling the host again. */
const CREDENTIALS: readonly string[] = ['ssh_priv_key', 'remote_user'];

/** The fields that differ from the enrolled host, such as `ssh_port`. Empty: another error, or the server named none. */
export const conflictingFields = ({
  code,
  errors = [],
}: Pick<Problem, 'code' | 'errors'>): readonly string[] =>
  code === 'host_conflict' ? errors.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)) : [];

/** `already enrolled with a different --key and --port`, with the names that the caller has for the fields. */
export function conflictText(names: readonly string[]): string {
  const list = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(text => text !== '').join(' and ');
  return `already enrolled with a different ${list}`;
}

/** Whether new credentials resolve a part of the conflict. */
export const isCredentialConflict = (fields: readonly string[]): boolean =>
  fields.some(field => CREDENTIALS.includes(field));

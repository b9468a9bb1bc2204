import { resetAdminPassword } from '../../app/accounts/admin-account.ts';
import { argon2Hasher } from '../../app/auth/password-hasher.ts';
import { AppError } from '../../domain/errors.ts';
import { isRecordName } from '../../domain/record-name.ts';
import { OperatorError } from '../../lib/errors.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import { printLine } from '../process.ts';
import { attachStore } from '../wiring/open-store.ts';

/** `hostler admin reset-password`. The server can keep running. */
export async function resetPassword(sources: ConfigSources, user: string): Promise<void> {
  if (!isRecordName(user)) throw new OperatorError(`${JSON.stringify(user)} is not a valid account name`);
  const config = loadConfig(sources);
  const store = await attachStore(config);
  try {
    // A running server reads the change from the event log.
    const invalidateAccount = () => {};
    const ports = { store, clock: systemClock, hasher: argon2Hasher(), invalidateAccount };
    const password = await resetAdminPassword(ports, user);
    if (password instanceof AppError) throw new OperatorError(password.detail);
    printLine(`The account ${user} has the role admin. Its new password is:\n  ${password.reveal()}`);
  } finally {
    await store.close();
  }
}

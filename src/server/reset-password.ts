import { resetAdminPassword } from '../app/accounts/admin-password.ts';
import { argon2Hasher } from '../app/accounts/password-hasher.ts';
import { AppError } from '../domain/errors.ts';
import { isRecordName } from '../domain/record-name.ts';
import { PlainError } from '../lib/errors/plain-error.ts';
import { systemClock } from '../lib/time/clock.ts';
import type { ConfigSources } from './configuration/config.ts';
import { loadConfig } from './configuration/config.ts';
import { visitStore } from './parts/open-store.ts';
import { say } from './say.ts';

/** `hostler admin reset-password`: back in for whoever has the store, whether the service is running or not. */
export async function resetPassword(sources: ConfigSources, user: string): Promise<void> {
  if (!isRecordName(user)) throw new PlainError(`${JSON.stringify(user)} is not a valid account name`);
  const config = loadConfig(sources);
  const store = await visitStore(config);
  try {
    // A service that runs on this store finds out by itself.
    const accountChanged = () => {};
    const ports = { store, clock: systemClock, hasher: argon2Hasher(), accountChanged };
    const password = await resetAdminPassword(ports, user);
    if (password instanceof AppError) throw new PlainError(password.detail);
    say(`The account ${user} has the role admin. Its new password is:\n  ${password.reveal()}`);
  } finally {
    await store.close();
  }
}

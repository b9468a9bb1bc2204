import type { Client } from '#client/client.ts';
import { createClient } from '#client/client.ts';
import { CALLER } from '../../api/client.ts';
import { isUnknownCaller } from '../../api/is-unknown-caller.ts';

/**
 * Asks with name and password in the place of the session, so that an unlocked screen is not enough. A wrong password is a slip of the pen
 * and not the end of the session.
 */
export async function withPassword(
  user: string,
  password: string,
  ask: (client: Client, caller: typeof CALLER) => Promise<unknown>,
): Promise<void> {
  try {
    await ask(createClient({ baseUrl: location.origin, user, password }), CALLER);
  } catch (error) {
    if (isUnknownCaller(error)) throw new Error('Incorrect password. Enter your current password.');
    throw error;
  }
}

import type { Actor } from '../../domain/accounts/account.ts';
import type { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import { unknownToken } from './read-tokens.ts';

/** From now on nobody is let in by it. Hosts that were stay as they are. */
export async function removeToken(
  ports: Ports,
  actor: Actor,
  name: RecordName,
): Promise<undefined | AppError> {
  return change(ports, actor, async ({ records, tell }) => {
    const token = await records.enrolmentTokens.lock(name);
    if (token === undefined) return unknownToken(name);
    await records.enrolmentTokens.remove(name);
    await tell({ type: 'token.removed', subject: name, cluster: token.cluster });
    return undefined;
  });
}

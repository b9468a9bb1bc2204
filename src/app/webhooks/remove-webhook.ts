import type { Actor } from '../../domain/accounts/account.ts';
import type { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { change } from '../change.ts';
import type { ExpectedRevision } from '../expected-revision.ts';
import { revisionProblem } from '../expected-revision.ts';
import type { Ports } from '../ports.ts';

/** Removes a webhook; fine when it does not exist. A message that is under way may still arrive. */
export async function removeWebhook(
  ports: Ports,
  actor: Actor,
  { name, expected }: { name: RecordName; expected: ExpectedRevision | undefined },
): Promise<undefined | AppError> {
  return change(ports, actor, async ({ records, tell }) => {
    const current = await records.webhooks.lock(name);
    const problem = revisionProblem(expected, current);
    if (problem || current === undefined) return problem;
    await records.webhooks.remove(name);
    await tell({ type: 'webhook.removed', subject: name });
    return undefined;
  });
}

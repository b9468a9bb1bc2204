import type { Actor } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { enrolByKey } from './enrol-by-key.ts';
import { enrolByToken } from './enrol-by-token.ts';
import { enrolmentProblem } from './enrolment-problem.ts';
import type { EnrolmentRequest } from './enrolment-request.ts';
import { privateKeyRefusal } from './private-key-refusal.ts';

/** Makes a host's record, credentials, membership and the work of bootstrapping it, all or none; or finds it known as sent. */
export async function enrolHost(
  ports: Ports,
  actor: Actor,
  request: EnrolmentRequest,
): Promise<PutResult<Host> | AppError> {
  const { address, source, sshPrivKey } = request;
  const problem = enrolmentProblem(ports, actor, request);
  if (problem) return problem;
  // The key of a host that is known is compared, not looked into; that of a new one is, before anything is locked.
  const wasKnown = (await ports.store.reads.hosts.get(address)) !== undefined;
  const badKey = wasKnown ? undefined : privateKeyRefusal(ports, sshPrivKey);
  if (badKey) return badKey;

  const { token } = actor;
  const enrolled = await change(ports, actor, under => {
    // It may have been removed since we looked.
    const lateProblem = () => (wasKnown ? privateKeyRefusal(ports, sshPrivKey) : undefined);
    return token
      ? enrolByToken(ports, under, { token, request, lateProblem })
      : enrolByKey(ports, under, { request, lateProblem });
  });
  if (source && !(enrolled instanceof AppError) && enrolled.isNew) ports.readSource(source);
  return enrolled;
}

import type { TokenReference } from '../../domain/accounts/account.ts';
import { checkTokenEnrolment } from '../../domain/accounts/enrolment-token.ts';
import { AppError, RetryTransaction } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { newHost } from '../../domain/hosts/host.ts';
import { areSameHostKeys } from '../../domain/hosts/host-key.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { newId } from '../../lib/new-id.ts';
import type { Change } from '../change.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { compareWithKnown } from './compare-with-known.ts';
import type { CheckedEnrolment } from './enrolment-request.ts';
import { saveNewHost } from './save-new-host.ts';

interface TokenEnrolment extends CheckedEnrolment {
  readonly token: TokenReference;
}

/** Enrols the host that calls, and counts the use in the same transaction: of those who want the last one, one gets it. */
export async function enrolByToken(
  ports: Ports,
  under: Change,
  { token: { id, name }, request, lateProblem }: TokenEnrolment,
): Promise<PutResult<Host> | AppError> {
  const { records } = under;
  const { address, hostKeys = [], source = '' } = request;
  const token = await records.enrolmentTokens.lock(name);
  if (token?.id !== id)
    return new AppError(
      'unauthorized',
      'the enrolment token was removed; ask an administrator for a new one',
    );
  const { cluster } = token;
  const clusterExists = cluster === null || (await records.clusters.lock(cluster)) !== undefined;
  const known = await records.hosts.lock(address);
  const access = known && (await records.hostAccess.get(address));
  const verdict = checkTokenEnrolment({
    ...{ token, address, clusterExists, cluster: request.cluster },
    now: formatTimestamp(await records.nowMs()),
    existingHost: access && {
      isEnrolledByToken: access.enrolledByToken === id,
      hasSameHostKeys: areSameHostKeys(hostKeys, access.hostKeys),
    },
  });
  if (verdict instanceof AppError) return verdict;
  // Its cluster was the token's; people may have moved it since.
  if (known) return compareWithKnown(ports, records, known, { ...request, cluster: undefined });
  const problem = lateProblem();
  if (problem) return problem;
  const host = newHost(address, { enrolment: newId(), source, cluster });
  // Somebody has made it since we looked: that is another case.
  if (await records.hosts.insertOrLock(host)) throw new RetryTransaction();
  await records.enrolmentTokens.setUsed(name, token.used + 1);
  return saveNewHost(ports, under, host, { request, token });
}

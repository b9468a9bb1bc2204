import type { AppError } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { newHost } from '../../domain/hosts/host.ts';
import { newId } from '../../lib/new-id.ts';
import type { Change } from '../change.ts';
import { unknownClusterNamed } from '../clusters/read-clusters.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { compareWithKnown } from './compare-with-known.ts';
import type { CheckedEnrolment } from './enrolment-request.ts';
import { saveNewHost } from './save-new-host.ts';

/** Enrols a host that somebody with an account names, and whose private key they give. */
export async function enrolByKey(
  ports: Ports,
  under: Change,
  { request, lateProblem }: CheckedEnrolment,
): Promise<PutResult<Host> | AppError> {
  const { records } = under;
  const { address, cluster, source = '' } = request;
  const isClusterKnown = cluster === undefined || (await records.clusters.lock(cluster)) !== undefined;
  const known = await records.hosts.lock(address);
  if (known) return compareWithKnown(ports, records, known, request);
  const problem = lateProblem();
  if (problem) return problem;
  if (cluster !== undefined && !isClusterKnown) return unknownClusterNamed(cluster);
  const host = newHost(address, { enrolment: newId(), source, cluster: cluster ?? null });
  const found = await records.hosts.insertOrLock(host);
  return found
    ? compareWithKnown(ports, records, found, request)
    : saveNewHost(ports, under, host, { request });
}

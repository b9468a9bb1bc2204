import type { Right } from '../../clients/kubernetes/access-review.ts';
import { rightName } from '../../clients/kubernetes/access-review.ts';
import type { KubernetesApi } from '../../clients/kubernetes/kubernetes-api.ts';
import { harmless } from '../../lib/text/harmless.ts';
import type { CheckReport } from '../check-report.ts';

/** What it takes to look after nodes that others have made. */
const RIGHTS: readonly Right[] = [
  { verb: 'list', resource: 'nodes' },
  { verb: 'get', resource: 'nodes' },
  { verb: 'patch', resource: 'nodes' },
  { verb: 'list', resource: 'pods' },
  { verb: 'create', resource: 'pods', subresource: 'eviction' },
];

/** What it takes to let nodes go that were made from here. */
export const REMOVAL_RIGHTS: readonly Right[] = [{ verb: 'delete', resource: 'nodes' }];

/** Whether the API answers and lets us do what we have to; `more` is what the driver needs beside that. */
export async function kubeCheck(api: KubernetesApi, more: readonly Right[] = []): Promise<CheckReport> {
  const version = await api.version();
  const rights = await Promise.all(
    [...RIGHTS, ...more].map(async right => ({ right, isAllowed: await api.may(right) })),
  );
  const missing = rights.filter(({ isAllowed }) => !isAllowed).map(({ right }) => rightName(right));
  const problems = missing.length === 0 ? [] : [`${api.name} denies permission to ${missing.join(', ')}`];
  return { version: harmless(version), problems };
}

// Evictions check the disruption budgets before the deletion. After
// pkg/registry/core/pod/storage/eviction.go.

import { ApiError, badRequest, forbidden } from './api-error.ts';
import { SCHEME } from './body.ts';
import type { ApiResponse, Call, Cluster, Target } from './cluster.ts';
import { deleteObject, parseDeleteOptions } from './delete.ts';
import { evictionVersions } from './discovery.ts';
import type { KubeObject } from './objects.ts';
import { at, fieldsAt, findCondition, formatTime, isFields, numberAt, textAt } from './objects.ts';
import { getExisting, objectSelector } from './read.ts';
import { DISRUPTION_BUDGETS } from './resources.ts';

function checkKind(call: Call, minor: number): void {
  const versions = evictionVersions(minor);
  const apiVersion = textAt(call.body, 'apiVersion') || (versions.at(-1) ?? '');
  const kind = textAt(call.body, 'kind') || 'Eviction';
  if (kind === 'Eviction' && versions.includes(apiVersion)) return;
  const version = apiVersion.split('/').at(-1);
  throw badRequest(
    `${kind} in version "${version}" cannot be handled as a Eviction: no kind "${kind}" is registered for version "${apiVersion}" in scheme "${SCHEME}"`,
  );
}

/** An empty selector selects nothing in policy/v1beta1 and all pods in policy/v1. */
function findBudgets({ store, minor }: Cluster, pod: KubeObject): readonly KubeObject[] {
  const all = store.list(DISRUPTION_BUDGETS, pod.metadata.namespace ?? '');
  return all.filter(budget => {
    const selector = objectSelector(fieldsAt(budget, 'spec', 'selector'));
    return selector === undefined ? minor >= 21 && isFields(at(budget, 'spec', 'selector')) : selector(pod);
  });
}

function tooManyRequests(cause: string, retryAfterSeconds: number): ApiError {
  return new ApiError({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [{ reason: 'DisruptionBudget', message: cause }],
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
  });
}

function consumeDisruption({ store, clock, minor }: Cluster, budget: KubeObject, pod: KubeObject): void {
  const { name, generation = 0 } = budget.metadata;
  const status = fieldsAt(budget, 'status');
  const allowed = numberAt(status, 'disruptionsAllowed') ?? 0;
  if ((numberAt(status, 'observedGeneration') ?? 0) < generation) {
    const cause = `The disruption budget ${name} is still being processed by the server.`;
    throw tooManyRequests(cause, minor >= 22 ? 10 : 0);
  }
  if (allowed < 0) {
    throw forbidden({ group: 'policy', name: 'poddisruptionbudget' }, name, 'pdb disruptions allowed is negative');
  }
  if (allowed === 0) {
    const [desired = 0, current = 0] = [numberAt(status, 'desiredHealthy'), numberAt(status, 'currentHealthy')];
    throw tooManyRequests(
      `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`,
      0,
    );
  }
  const disruptedPods = {
    ...fieldsAt(status, 'disruptedPods'),
    [pod.metadata.name]: formatTime(clock.now()),
  };
  const next = { ...status, disruptionsAllowed: allowed - 1, disruptedPods };
  store.write(DISRUPTION_BUDGETS, { ...structuredClone(budget), status: next });
}

export const isReady = (pod: KubeObject) => findCondition(pod, 'Ready')?.['status'] === 'True';

function checkBudgets(cluster: Cluster, pod: KubeObject): void {
  const [budget, second] = findBudgets(cluster, pod);
  if (second !== undefined) {
    throw new ApiError({
      code: 500,
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    });
  }
  if (budget === undefined) return;
  const status = fieldsAt(budget, 'status');
  const [current = 0, desired = 0] = [numberAt(status, 'currentHealthy'), numberAt(status, 'desiredHealthy')];
  // A pod that is not ready does not count if enough others are.
  if (!isReady(pod) && current >= desired && desired > 0) return;
  consumeDisruption(cluster, budget, pod);
}

const ignoresBudgets = (pod: KubeObject) =>
  ['Succeeded', 'Failed', 'Pending'].includes(textAt(pod, 'status', 'phase')) ||
  pod.metadata.deletionTimestamp !== undefined;

export function evict(cluster: Cluster, call: Call): ApiResponse {
  checkKind(call, cluster.minor);
  const target: Target = { ...call.target, subresource: '' };
  if (textAt(call.body, 'metadata', 'name') !== target.name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  const pod = getExisting(cluster, target);
  if (!ignoresBudgets(pod)) checkBudgets(cluster, pod);
  deleteObject(cluster, target, parseDeleteOptions(fieldsAt(call.body, 'deleteOptions')));
  const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  return { code: 201, body: success };
}

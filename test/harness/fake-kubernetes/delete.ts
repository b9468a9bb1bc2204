import { conflict } from './api-error.ts';
import type { ApiResponse, Call, Cluster, Target } from './cluster.ts';
import type { Fields, Json, KubeObject } from './objects.ts';
import { formatTime, numberAt, textAt } from './objects.ts';
import { getExisting, toResponseBody } from './read.ts';
import { kindName, resourceName } from './resources.ts';

/** `undefined`: the grace period of the object. */
type GraceSeconds = number | undefined;

export interface DeleteOptions {
  readonly gracePeriodSeconds: GraceSeconds;
  readonly uid: string;
  readonly resourceVersion: string;
}

export const parseDeleteOptions = (fields: Json | undefined): DeleteOptions => ({
  gracePeriodSeconds: numberAt(fields, 'gracePeriodSeconds'),
  uid: textAt(fields, 'preconditions', 'uid'),
  resourceVersion: textAt(fields, 'preconditions', 'resourceVersion'),
});

function checkPreconditions({ metadata }: KubeObject, options: DeleteOptions, { resource }: Target): void {
  const preconditionError = (what: string, expected: string, actual: string, cause: string) =>
    conflict(
      kindName(resource),
      metadata.name,
      `the ${what} in the precondition (${expected}) does not match the ${what} in record (${actual}). The object might have been ${cause}`,
    );
  const { uid, resourceVersion } = options;
  if (uid !== '' && uid !== metadata.uid)
    throw preconditionError('UID', uid, metadata.uid, 'deleted and then recreated');
  if (resourceVersion !== '' && resourceVersion !== metadata.resourceVersion) {
    throw preconditionError('ResourceVersion', resourceVersion, metadata.resourceVersion, 'modified');
  }
}

/** Only pods on a node have a grace period. */
function computeGraceSeconds(object: KubeObject, { gracePeriodSeconds }: DeleteOptions, { resource }: Target): number {
  if (resource.kind !== 'Pod') return 0;
  const hasEnded = ['Failed', 'Succeeded'].includes(textAt(object, 'status', 'phase'));
  if (textAt(object, 'spec', 'nodeName') === '' || hasEnded) return 0;
  return gracePeriodSeconds ?? numberAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 0;
}

interface Deletion {
  /** Last known state. */
  readonly object: KubeObject;
  readonly isGone: boolean;
}

export function deleteObject(cluster: Cluster, target: Target, options: DeleteOptions): Deletion {
  const { store, clock } = cluster;
  const { resource, namespace, name } = target;
  const object = getExisting(cluster, target);
  checkPreconditions(object, options, target);
  const { deletionTimestamp, deletionGracePeriodSeconds: granted = 0, finalizers = [] } = object.metadata;
  const isTerminating = deletionTimestamp !== undefined && granted > 0;
  // A running grace period can only be shortened.
  if (isTerminating && (options.gracePeriodSeconds ?? granted) >= granted) return { object, isGone: false };
  const graceSeconds = computeGraceSeconds(object, options, target);
  const isMarkedFirst = resource.kind === 'Pod' || finalizers.length > 0;
  if (isMarkedFirst && !(deletionTimestamp !== undefined && granted === 0)) {
    const sinceMs = isTerminating ? Date.parse(deletionTimestamp) - granted * 1000 : clock.now();
    object.metadata.deletionTimestamp = formatTime(sinceMs + graceSeconds * 1000);
    object.metadata.deletionGracePeriodSeconds = graceSeconds;
    const marked = store.write(resource, object);
    if (graceSeconds > 0 || finalizers.length > 0) return { object: marked, isGone: false };
  } else if (finalizers.length > 0) return { object, isGone: false };
  return { object: store.remove(resource, namespace, name) ?? object, isGone: true };
}

const successStatus = (details: Fields): Fields => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details,
});

export function deleteCall(cluster: Cluster, { target, query, body }: Call): ApiResponse {
  const seconds = query.get('gracePeriodSeconds');
  const byQuery = seconds === null ? {} : { gracePeriodSeconds: Number(seconds) };
  const { object, isGone } = deleteObject(cluster, target, parseDeleteOptions(body ?? byQuery));
  if (target.resource.returnsDeletedObject || !isGone) return { code: 200, body: toResponseBody(object, target) };
  const { group, name: kind } = resourceName(target.resource);
  const { name, uid } = object.metadata;
  const details = { name, ...(group === '' ? {} : { group }), kind, uid };
  return { code: 200, body: successStatus(details) };
}

import { conflict } from './api-error.ts';
import type { Answer, Call, Cluster, Target } from './cluster.ts';
import type { Fields, Json, KubeObject } from './objects.ts';
import { numberAt, textAt, timeText } from './objects.ts';
import { existing, shown } from './read.ts';
import { kindName, resourceName } from './resources.ts';

/** undefined: as the object itself says. */
type GraceSeconds = number | undefined;

export interface DeleteOptions {
  readonly gracePeriodSeconds: GraceSeconds;
  readonly uid: string;
  readonly resourceVersion: string;
}

export const deleteOptionsOf = (fields: Json | undefined): DeleteOptions => ({
  gracePeriodSeconds: numberAt(fields, 'gracePeriodSeconds'),
  uid: textAt(fields, 'preconditions', 'uid'),
  resourceVersion: textAt(fields, 'preconditions', 'resourceVersion'),
});

function checkPreconditions({ metadata }: KubeObject, options: DeleteOptions, { resource }: Target): void {
  const refuse = (what: string, wanted: string, has: string, why: string) =>
    conflict(
      kindName(resource),
      metadata.name,
      `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${has}). The object might have been ${why}`,
    );
  const { uid, resourceVersion } = options;
  if (uid !== '' && uid !== metadata.uid)
    throw refuse('UID', uid, metadata.uid, 'deleted and then recreated');
  if (resourceVersion !== '' && resourceVersion !== metadata.resourceVersion) {
    throw refuse('ResourceVersion', resourceVersion, metadata.resourceVersion, 'modified');
  }
}

/** Pods get time to end when a kubelet runs them. */
function graceOf(object: KubeObject, { gracePeriodSeconds }: DeleteOptions, { resource }: Target): number {
  if (resource.kind !== 'Pod') return 0;
  const isOver = ['Failed', 'Succeeded'].includes(textAt(object, 'status', 'phase'));
  if (textAt(object, 'spec', 'nodeName') === '' || isOver) return 0;
  return gracePeriodSeconds ?? numberAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 0;
}

interface Deletion {
  /** Its last state so far. */
  readonly object: KubeObject;
  readonly isGone: boolean;
}

export function deleteObject(cluster: Cluster, target: Target, options: DeleteOptions): Deletion {
  const { store, clock } = cluster;
  const { resource, namespace, name } = target;
  const object = existing(cluster, target);
  checkPreconditions(object, options, target);
  const { deletionTimestamp, deletionGracePeriodSeconds: granted = 0, finalizers = [] } = object.metadata;
  const isUnderWay = deletionTimestamp !== undefined && granted > 0;
  // Once it is going, time can only be taken away.
  if (isUnderWay && (options.gracePeriodSeconds ?? granted) >= granted) return { object, isGone: false };
  const graceSeconds = graceOf(object, options, target);
  const isMarkedFirst = resource.kind === 'Pod' || finalizers.length > 0;
  if (isMarkedFirst && !(deletionTimestamp !== undefined && granted === 0)) {
    const sinceMs = isUnderWay ? Date.parse(deletionTimestamp) - granted * 1000 : clock.now();
    object.metadata.deletionTimestamp = timeText(sinceMs + graceSeconds * 1000);
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

export function deleteCall(cluster: Cluster, { target, query, body }: Call): Answer {
  const seconds = query.get('gracePeriodSeconds');
  const byQuery = seconds === null ? {} : { gracePeriodSeconds: Number(seconds) };
  const { object, isGone } = deleteObject(cluster, target, deleteOptionsOf(body ?? byQuery));
  if (target.resource.isAnsweredWhenDeleted || !isGone) return { code: 200, body: shown(object, target) };
  const { group, name: kind } = resourceName(target.resource);
  const { name, uid } = object.metadata;
  const details = { name, ...(group === '' ? {} : { group }), kind, uid };
  return { code: 200, body: successStatus(details) };
}

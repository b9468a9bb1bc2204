import { randomUUID } from 'node:crypto';
import {
  ApiError,
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  invalid,
  invalidValue,
  notFound,
  unknownPatchType,
} from './api-error.ts';
import { isAllowed } from './authorization.ts';
import { applyNamespace, checkBodyType, decodeBody, findInvalidMap } from './body.ts';
import type { ApiResponse, Call, Cluster, Target } from './cluster.ts';
import type { Fields, Json, KubeObject } from './objects.ts';
import { formatTime, isFields, isSame, omitEmptyFields, textAt } from './objects.ts';
import { jsonPatch, mergePatch, strategicMergePatch } from './patches.ts';
import { getExisting, toResponseBody } from './read.ts';
import { DISRUPTION_BUDGETS, kindName, NAMESPACES, resourceName } from './resources.ts';
import { creationErrors, generatedName, prepareCreation, prepareUpdate, updateErrors } from './strategies.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

function checkVersion(next: KubeObject, current: KubeObject, { resource, name }: Target): void {
  const [expected, actual] = [next.metadata.resourceVersion, current.metadata.resourceVersion];
  if (expected === '' && resource.needsResourceVersion) {
    const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid({ group: resource.group, name: resource.plural }, name, [
      { ...error, message: error.message.replace('0', '0x0') },
    ]);
  }
  if (!/^\d*$/.test(expected)) {
    throw new ApiError({ code: 500, message: `strconv.ParseUint: parsing "${expected}": invalid syntax` });
  }
  if (expected !== '' && expected !== actual) throw conflict(resourceName(resource), name, MODIFIED);
}

/** An admission plugin: approval requires permission for the signer. */
function checkApproval(current: KubeObject, { user, target }: Call): void {
  if (target.subresource !== 'approval') return;
  const name = textAt(current, 'spec', 'signerName');
  if (isAllowed(user, { verb: 'approve', resource: 'signers', namespace: '', name })) return;
  const cause = `user not permitted to approve requests with signerName "${name}"`;
  throw forbidden(resourceName(target.resource), target.name, cause);
}

/** Replaces the fields that the user may change. An update without changes keeps the version. */
function replaceObject(cluster: Cluster, call: Call, next: KubeObject, current: KubeObject): ApiResponse {
  const { target } = call;
  const { metadata } = next;
  if (metadata.name !== target.name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${target.name})`);
  }
  applyNamespace(next, target);
  checkVersion(next, current, target);
  prepareUpdate(next, current, call, cluster);
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, resourceVersion, uid } = current.metadata;
  Object.assign(metadata, { creationTimestamp, resourceVersion, uid: metadata.uid || uid });
  Object.assign(metadata, { deletionTimestamp, deletionGracePeriodSeconds });
  const cleaned = omitEmptyFields(next);
  const errors = updateErrors(cleaned, current, call);
  if (errors.length > 0) throw invalid(kindName(target.resource), target.name, errors);
  checkApproval(current, call);
  if (target.resource === DISRUPTION_BUDGETS && target.subresource === 'status') {
    cluster.writtenBudgets.add(uid);
  }
  if (isSame(cleaned, current)) return { code: 200, body: toResponseBody(current, target) };
  const isReleased = deletionTimestamp !== undefined && (deletionGracePeriodSeconds ?? 0) === 0;
  if (isReleased && (cleaned.metadata.finalizers ?? []).length === 0) {
    cluster.store.remove(target.resource, target.namespace, target.name);
    return { code: 200, body: toResponseBody(cleaned, target) };
  }
  return { code: 200, body: toResponseBody(cluster.store.write(target.resource, cleaned), target) };
}

export function update(cluster: Cluster, call: Call): ApiResponse {
  const { target } = call;
  checkBodyType(call);
  const next = decodeBody(call.body, target);
  const current = getExisting(cluster, target);
  const [expectedUid, actualUid] = [next.metadata.uid, current.metadata.uid];
  if (expectedUid !== '' && expectedUid !== actualUid) {
    // etcd still stores nodes under their original name.
    const folder = target.resource.kind === 'Node' ? 'minions' : target.resource.plural;
    const key = `/registry/${folder}/${target.namespace === '' ? '' : `${target.namespace}/`}${target.name}`;
    throw conflict(
      resourceName(target.resource),
      target.name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${expectedUid}, UID in object meta: ${actualUid}`,
    );
  }
  return replaceObject(cluster, call, next, current);
}

function applyPatch(document: Fields, { contentType, body, target }: Call): Fields {
  if (contentType === JSON_PATCH) return jsonPatch(document, body);
  if (isFields(body)) {
    return contentType === MERGE_PATCH
      ? mergePatch(document, body)
      : strategicMergePatch(document, body, target.resource.plural);
  }
  const bodyType = Array.isArray(body) ? 'array' : typeof body;
  if (contentType === MERGE_PATCH) throw invalidPatch(body ?? null, `json: cannot unmarshal ${bodyType}`);
  throw badRequest(`json: cannot unmarshal ${bodyType} into Go value of type map[string]interface {}`);
}

const invalidPatch = (result: Json, cause: string) =>
  invalid({ group: '', name: '' }, '', [invalidValue('patch', JSON.stringify(result), cause)]);

export function patch(cluster: Cluster, call: Call): ApiResponse {
  const { target } = call;
  // An unsupported content type is rejected before the lookup.
  if (![JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH].includes(call.contentType)) throw unknownPatchType();
  const current = getExisting(cluster, target);
  const result = applyPatch(toResponseBody(current, target), call);
  const invalidField = findInvalidMap(result);
  if (invalidField !== undefined) throw invalidPatch(result, `${invalidField}: ReadString: expects "`);
  return replaceObject(cluster, call, decodeBody(result, target), current);
}

export function create(cluster: Cluster, call: Call): ApiResponse {
  const { target } = call;
  const { store, clock } = cluster;
  checkBodyType(call);
  const object = decodeBody(call.body, target);
  applyNamespace(object, target);
  const isNamespaceMissing = target.resource.isNamespaced && !store.get(NAMESPACES, '', target.namespace);
  if (isNamespaceMissing) throw notFound(resourceName(NAMESPACES), target.namespace);
  prepareCreation(object, call);
  const prefix = textAt(object, 'metadata', 'generateName');
  const { metadata } = object;
  if (metadata.name === '' && prefix !== '') metadata.name = generatedName(prefix);
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  Object.assign(metadata, { uid: randomUUID(), creationTimestamp: formatTime(clock.now()) });
  const errors = creationErrors(object, target.resource);
  if (errors.length > 0) throw invalid(kindName(target.resource), metadata.name, errors);
  if (metadata.resourceVersion !== '') {
    throw new ApiError({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
  }
  const existingObject = store.get(target.resource, target.namespace, metadata.name);
  if (existingObject !== undefined) {
    const isBeingDeleted = existingObject.metadata.deletionTimestamp !== undefined;
    throw alreadyExists(resourceName(target.resource), metadata.name, isBeingDeleted);
  }
  return { code: 201, body: toResponseBody(store.write(target.resource, omitEmptyFields(object)), target) };
}

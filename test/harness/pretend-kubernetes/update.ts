import { ApiError, badRequest, conflict, forbidden, unknownPatchType } from './api-error.ts';
import { isAllowed } from './authorization.ts';
import { checkBodyType, decodedBody, settleNamespace, wrongMap } from './body.ts';
import type { Answer, Call, Cluster, Target } from './cluster.ts';
import { invalid, invalidValue } from './invalid.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch, strategicMergePatch } from './merge-patches.ts';
import type { Fields, Json, KubeObject } from './objects.ts';
import { isFields, isSame, textAt } from './objects.ts';
import { existing, shown } from './read.ts';
import { DISRUPTION_BUDGETS, kindName, resourceName } from './resources.ts';
import { prepareUpdate, updateErrors } from './strategies.ts';
import { tidy } from './tidy.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';

const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

function checkVersion(next: KubeObject, current: KubeObject, { resource, name }: Target): void {
  const [wanted, has] = [next.metadata.resourceVersion, current.metadata.resourceVersion];
  if (wanted === '' && resource.needsResourceVersion) {
    const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid({ group: resource.group, name: resource.plural }, name, [
      { ...error, message: error.message.replace('0', '0x0') },
    ]);
  }
  if (!/^\d*$/.test(wanted)) {
    throw new ApiError({ code: 500, message: `strconv.ParseUint: parsing "${wanted}": invalid syntax` });
  }
  if (wanted !== '' && wanted !== has) throw conflict(resourceName(resource), name, MODIFIED);
}

/** An admission plugin: who approves must be allowed to for this signer. */
function checkApproval(current: KubeObject, { user, target }: Call): void {
  if (target.subresource !== 'approval') return;
  const name = textAt(current, 'spec', 'signerName');
  if (isAllowed(user, { verb: 'approve', resource: 'signers', namespace: '', name })) return;
  const why = `user not permitted to approve requests with signerName "${name}"`;
  throw forbidden(resourceName(target.resource), target.name, why);
}

/** Puts `next` in the place of `current`, as far as the caller may decide. What changes nothing makes no new version. */
function replace(cluster: Cluster, call: Call, next: KubeObject, current: KubeObject): Answer {
  const { target } = call;
  const { metadata } = next;
  if (metadata.name !== target.name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${target.name})`,
    );
  }
  settleNamespace(next, target);
  checkVersion(next, current, target);
  prepareUpdate(next, current, call, cluster);
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, resourceVersion, uid } =
    current.metadata;
  Object.assign(metadata, { creationTimestamp, resourceVersion, uid: metadata.uid || uid });
  Object.assign(metadata, { deletionTimestamp, deletionGracePeriodSeconds });
  const tidied = tidy(next);
  const errors = updateErrors(tidied, current, call);
  if (errors.length > 0) throw invalid(kindName(target.resource), target.name, errors);
  checkApproval(current, call);
  if (target.resource === DISRUPTION_BUDGETS && target.subresource === 'status') {
    cluster.writtenBudgets.add(uid);
  }
  if (isSame(tidied, current)) return { code: 200, body: shown(current, target) };
  const isReleased = deletionTimestamp !== undefined && (deletionGracePeriodSeconds ?? 0) === 0;
  if (isReleased && (tidied.metadata.finalizers ?? []).length === 0) {
    cluster.store.remove(target.resource, target.namespace, target.name);
    return { code: 200, body: shown(tidied, target) };
  }
  return { code: 200, body: shown(cluster.store.write(target.resource, tidied), target) };
}

export function update(cluster: Cluster, call: Call): Answer {
  const { target } = call;
  checkBodyType(call);
  const next = decodedBody(call.body, target);
  const current = existing(cluster, target);
  const [wanted, has] = [next.metadata.uid, current.metadata.uid];
  if (wanted !== '' && wanted !== has) {
    // Nodes have kept the name that they had at first.
    const folder = target.resource.kind === 'Node' ? 'minions' : target.resource.plural;
    const key = `/registry/${folder}/${target.namespace === '' ? '' : `${target.namespace}/`}${target.name}`;
    throw conflict(
      resourceName(target.resource),
      target.name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${has}`,
    );
  }
  return replace(cluster, call, next, current);
}

function patched(document: Fields, { contentType, body, target }: Call): Fields {
  if (contentType === JSON_PATCH) return jsonPatch(document, body);
  if (isFields(body)) {
    return contentType === MERGE_PATCH
      ? mergePatch(document, body)
      : strategicMergePatch(document, body, target.resource.plural);
  }
  const what = Array.isArray(body) ? 'array' : typeof body;
  if (contentType === MERGE_PATCH) throw unusablePatch(body ?? null, `json: cannot unmarshal ${what}`);
  throw badRequest(`json: cannot unmarshal ${what} into Go value of type map[string]interface {}`);
}

const unusablePatch = (result: Json, why: string) =>
  invalid({ group: '', name: '' }, '', [invalidValue('patch', JSON.stringify(result), why)]);

export function patch(cluster: Cluster, call: Call): Answer {
  const { target } = call;
  // What cannot be read is refused before anything is looked up.
  if (![JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH].includes(call.contentType)) throw unknownPatchType();
  const current = existing(cluster, target);
  const result = patched(shown(current, target), call);
  const wrong = wrongMap(result);
  if (wrong !== undefined) throw unusablePatch(result, `${wrong}: ReadString: expects "`);
  return replace(cluster, call, decodedBody(result, target), current);
}

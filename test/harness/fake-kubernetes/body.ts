import { badRequest, unsupportedMediaType } from './api-error.ts';
import type { Call, Target } from './cluster.ts';
import type { Fields, KubeObject, Metadata } from './objects.ts';
import { fieldsAt, isFields } from './objects.ts';
import { formatApiVersion, RESOURCES } from './resources.ts';

/** Location that the error messages name. */
export const SCHEME = 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30';

const BODY_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

export function checkBodyType({ contentType }: Call): void {
  if (contentType !== '' && contentType !== 'application/json') throw unsupportedMediaType(BODY_TYPES);
}

/** Checks kind, version and the types of metadata fields. */
export function decodeBody(body: unknown, { resource, version }: Target): KubeObject {
  const { group, kind } = resource;
  if (!isFields(body)) throw badRequest(`the object provided is unrecognized (must be of type ${kind})`);
  const expected = formatApiVersion(group, version);
  const { kind: bodyKind = kind, apiVersion = expected, ...fields } = body;
  const mismatch = findMismatch(String(bodyKind), String(apiVersion), kind, expected);
  if (mismatch !== undefined) throw badRequest(mismatch);
  const metadata = fieldsAt(fields, 'metadata');
  const invalidField = findInvalidMap(body);
  if (invalidField !== undefined) {
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: ${invalidField}: ReadString: expects "`,
    );
  }
  return { ...fields, metadata: typedMetadata(metadata) };
}

function findMismatch(kind: string, apiVersion: string, expectedKind: string, expected: string): string | undefined {
  const prefix = `${kind} in version "${apiVersion.split('/').at(-1)}" cannot be handled as a ${expectedKind}:`;
  const isServed = RESOURCES.some(
    resource =>
      resource.kind === kind &&
      resource.versions.some(version => formatApiVersion(resource.group, version.name) === apiVersion),
  );
  // Beta versions that are no longer served are still registered.
  if (!isServed && !(kind === expectedKind && /beta\d$/.test(apiVersion))) {
    return `${prefix} no kind "${kind}" is registered for version "${apiVersion}" in scheme "${SCHEME}"`;
  }
  if (kind !== expectedKind) return `${prefix} converting (v1.${kind}) to (core.${expectedKind}): unknown conversion`;
  if (apiVersion === expected) return undefined;
  return `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
}

/** The first metadata map with a value that is not a string. */
export function findInvalidMap(object: Fields): string | undefined {
  const isWrong = (field: string) =>
    Object.values(fieldsAt(object, 'metadata', field)).some(value => typeof value !== 'string' && value !== null);
  return ['labels', 'annotations'].find(isWrong);
}

/** Missing fields become empty; later steps fill or reject them. */
function typedMetadata(metadata: Fields): Metadata {
  const text = (field: string) => (typeof metadata[field] === 'string' ? metadata[field] : '');
  return {
    ...metadata,
    name: text('name'),
    uid: text('uid'),
    resourceVersion: text('resourceVersion'),
    creationTimestamp: text('creationTimestamp'),
  };
}

const OTHER_NAMESPACE = 'the namespace of the provided object does not match the namespace sent on the request';

export function applyNamespace(object: KubeObject, { resource, namespace }: Target): void {
  if (!resource.isNamespaced) delete object.metadata.namespace;
  else if ((object.metadata.namespace ?? '') === '') object.metadata.namespace = namespace;
  else if (object.metadata.namespace !== namespace) throw badRequest(OTHER_NAMESPACE);
}

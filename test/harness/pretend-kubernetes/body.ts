import { badRequest, unsupportedMediaType } from './api-error.ts';
import type { Call, Target } from './cluster.ts';
import type { Fields, KubeObject, Metadata } from './objects.ts';
import { fieldsAt, isFields } from './objects.ts';
import { apiVersionOf, RESOURCES } from './resources.ts';

/** Where the kinds are registered; it is named in messages. */
export const SCHEME = 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30';

const BODY_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

export function checkBodyType({ contentType }: Call): void {
  if (contentType !== '' && contentType !== 'application/json') throw unsupportedMediaType(BODY_TYPES);
}

/** A body as an object of the resource: of its kind and version, with texts where texts belong. */
export function decodedBody(body: unknown, { resource, version }: Target): KubeObject {
  const { group, kind } = resource;
  if (!isFields(body)) throw badRequest(`the object provided is unrecognized (must be of type ${kind})`);
  const expected = apiVersionOf(group, version);
  const { kind: bodyKind = kind, apiVersion = expected, ...fields } = body;
  const mismatch = mismatchOf(String(bodyKind), String(apiVersion), kind, expected);
  if (mismatch !== undefined) throw badRequest(mismatch);
  const metadata = fieldsAt(fields, 'metadata');
  const wrong = wrongMap(body);
  if (wrong !== undefined) {
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: ${wrong}: ReadString: expects "`,
    );
  }
  return { ...fields, metadata: typedMetadata(metadata) };
}

function mismatchOf(kind: string, apiVersion: string, wanted: string, expected: string): string | undefined {
  const prefix = `${kind} in version "${apiVersion.split('/').at(-1)}" cannot be handled as a ${wanted}:`;
  const isServed = RESOURCES.some(
    resource =>
      resource.kind === kind &&
      resource.versions.some(version => apiVersionOf(resource.group, version.name) === apiVersion),
  );
  // Versions that were there once are known, though they are served no more.
  if (!isServed && !(kind === wanted && /beta\d$/.test(apiVersion))) {
    return `${prefix} no kind "${kind}" is registered for version "${apiVersion}" in scheme "${SCHEME}"`;
  }
  if (kind !== wanted) return `${prefix} converting (v1.${kind}) to (core.${wanted}): unknown conversion`;
  if (apiVersion === expected) return undefined;
  return `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
}

/** The first field that must have texts only, and has something else. */
export function wrongMap(object: Fields): string | undefined {
  const isWrong = (field: string) =>
    Object.values(fieldsAt(object, 'metadata', field)).some(
      value => typeof value !== 'string' && value !== null,
    );
  return ['labels', 'annotations'].find(isWrong);
}

/** What is missing is empty; the server fills it in or refuses it. */
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

const OTHER_NAMESPACE =
  'the namespace of the provided object does not match the namespace sent on the request';

export function settleNamespace(object: KubeObject, { resource, namespace }: Target): void {
  if (!resource.isNamespaced) delete object.metadata.namespace;
  else if ((object.metadata.namespace ?? '') === '') object.metadata.namespace = namespace;
  else if (object.metadata.namespace !== namespace) throw badRequest(OTHER_NAMESPACE);
}

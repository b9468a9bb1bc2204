import type { User } from './accounts.ts';
import { badRequest, forbidden } from './api-error.ts';
import type { ApiResponse, Target } from './cluster.ts';
import type { Json } from './objects.ts';
import { fieldsAt, isFields, textAt } from './objects.ts';
import { resourceName } from './resources.ts';

interface Access {
  readonly verb: string;
  /** With its subresource, such as `pods/eviction`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

const CERTIFICATE_REQUESTS = 'certificatesigningrequests';
const BOOTSTRAP_VERBS = ['create', 'get', 'list', 'watch'];

const matches = (wanted: readonly string[], value: string) => wanted.includes('*') || wanted.includes(value);

export function isAllowed(user: User, { verb, resource, namespace, name }: Access): boolean {
  if (user.groups.includes('system:masters')) return true;
  if (user.permissions.some(permission => matches(permission.verbs, verb) && matches(permission.resources, resource)))
    return true;
  // kubeadm makes cluster-info readable for anonymous users; the fake also allows authenticated users.
  if (resource === 'configmaps' && verb === 'get' && `${namespace}/${name}` === 'kube-public/cluster-info') return true;
  const isBootstrapper = user.groups.includes('system:bootstrappers');
  if (isBootstrapper && resource === CERTIFICATE_REQUESTS) return BOOTSTRAP_VERBS.includes(verb);
  return resource === 'selfsubjectaccessreviews' && user.groups.includes('system:authenticated');
}

export function authorize(user: User, verb: string, target: Target): void {
  const { resource, namespace, name, subresource } = target;
  const resourcePath = subresource === '' ? resource.plural : `${resource.plural}/${subresource}`;
  if (isAllowed(user, { verb, resource: resourcePath, namespace, name })) return;
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  throw forbidden(
    resourceName(resource),
    name,
    `User "${user.name}" cannot ${verb} resource "${resourcePath}" in API group "${resource.group}" ${scope}`,
  );
}

const PUBLIC_PATHS = /^\/(livez|readyz|healthz|version\/?)$/;
const DISCOVERY_PATHS = /^\/(api|apis|openapi)(\/|$)/;

/** Authorizes paths that are not resources. */
export function authorizePath(user: User, method: string, path: string): void {
  const isAuthenticated = user.groups.includes('system:authenticated');
  if (user.groups.includes('system:masters')) return;
  if (method === 'GET' && (PUBLIC_PATHS.test(path) || (isAuthenticated && DISCOVERY_PATHS.test(path)))) return;
  throw forbidden({ group: '', name: '' }, '', `User "${user.name}" cannot ${method.toLowerCase()} path "${path}"`);
}

export const ACCESS_REVIEW_PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Responds to a self-review without storing it. */
export function reviewAccess(user: User, body: Json | undefined): ApiResponse {
  const spec = fieldsAt(body, 'spec');
  if (!isFields(spec['resourceAttributes'])) throw badRequest('spec.resourceAttributes is what is answered here');
  const attributes = fieldsAt(spec, 'resourceAttributes');
  const subresource = textAt(attributes, 'subresource');
  const allowed = isAllowed(user, {
    verb: textAt(attributes, 'verb'),
    resource: textAt(attributes, 'resource') + (subresource === '' ? '' : `/${subresource}`),
    namespace: textAt(attributes, 'namespace'),
    name: textAt(attributes, 'name'),
  });
  return {
    code: 201,
    body: {
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: { creationTimestamp: null },
      spec,
      status: { allowed },
    },
  };
}

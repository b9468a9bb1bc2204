import type { User } from './accounts.ts';
import { forbidden } from './api-error.ts';
import type { Target } from './cluster.ts';
import { resourceName } from './resources.ts';

interface Access {
  readonly verb: string;
  /** With its subresource: `pods/eviction`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

const CERTIFICATE_REQUESTS = 'certificatesigningrequests';
const BOOTSTRAP_VERBS = ['create', 'get', 'list', 'watch'];

const has = (wanted: readonly string[], value: string) => wanted.includes('*') || wanted.includes(value);

export function isAllowed(user: User, { verb, resource, namespace, name }: Access): boolean {
  if (user.groups.includes('system:masters')) return true;
  if (user.rights.some(right => has(right.verbs, verb) && has(right.resources, resource))) return true;
  // kubeadm makes it readable for anonymous callers; whoever has a token may read it here too.
  if (resource === 'configmaps' && verb === 'get' && `${namespace}/${name}` === 'kube-public/cluster-info')
    return true;
  const isBootstrapper = user.groups.includes('system:bootstrappers');
  if (isBootstrapper && resource === CERTIFICATE_REQUESTS) return BOOTSTRAP_VERBS.includes(verb);
  return resource === 'selfsubjectaccessreviews' && user.groups.includes('system:authenticated');
}

export function authorize(user: User, verb: string, target: Target): void {
  const { resource, namespace, name, subresource } = target;
  const full = subresource === '' ? resource.plural : `${resource.plural}/${subresource}`;
  if (isAllowed(user, { verb, resource: full, namespace, name })) return;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  throw forbidden(
    resourceName(resource),
    name,
    `User "${user.name}" cannot ${verb} resource "${full}" in API group "${resource.group}" ${where}`,
  );
}

const PUBLIC_PATHS = /^\/(livez|readyz|healthz|version\/?)$/;
const DISCOVERY_PATHS = /^\/(api|apis|openapi)(\/|$)/;

/** Of paths that are no resource. */
export function authorizePath(user: User, method: string, path: string): void {
  const isKnown = user.groups.includes('system:authenticated');
  if (user.groups.includes('system:masters')) return;
  if (method === 'GET' && (PUBLIC_PATHS.test(path) || (isKnown && DISCOVERY_PATHS.test(path)))) return;
  throw forbidden(
    { group: '', name: '' },
    '',
    `User "${user.name}" cannot ${method.toLowerCase()} path "${path}"`,
  );
}

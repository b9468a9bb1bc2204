import type { ApiResponse } from './cluster.ts';
import type { Fields } from './objects.ts';
import type { Resource } from './resources.ts';
import { formatApiVersion, RESOURCES, servedVersions } from './resources.ts';

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

/** Kubernetes 1.22 added evictions of policy/v1. */
export const evictionVersions = (minor: number): readonly string[] =>
  minor >= 22 ? ['policy/v1', 'policy/v1beta1'] : ['policy/v1beta1'];

function describeSubresource(resource: Resource, name: string, minor: number): Fields {
  const row = { name: `${resource.plural}/${name}`, singularName: '', namespaced: resource.isNamespaced };
  if (name !== 'eviction') return { ...row, kind: resource.kind, verbs: ['get', 'patch', 'update'] };
  const [group = '', version = ''] = (evictionVersions(minor)[0] ?? '').split('/');
  return { ...row, group, version, kind: 'Eviction', verbs: ['create'] };
}

function resourceList(group: string, version: string, minor: number): ApiResponse | undefined {
  const served = RESOURCES.filter(
    resource => resource.group === group && servedVersions(resource, minor).includes(version),
  );
  if (served.length === 0) return undefined;
  const resources = served.flatMap(resource => [
    {
      name: resource.plural,
      singularName: '',
      namespaced: resource.isNamespaced,
      kind: resource.kind,
      verbs: VERBS,
    },
    ...(resource.subresources ?? []).map(name => describeSubresource(resource, name, minor)),
  ]);
  const groupVersion = formatApiVersion(group, version);
  const head = { kind: 'APIResourceList', ...(group === '' ? {} : { apiVersion: 'v1' }) };
  return { code: 200, body: { ...head, groupVersion, resources } };
}

function describeGroup(group: string, minor: number): Fields {
  const versions = new Set(
    RESOURCES.filter(resource => resource.group === group).flatMap(resource => servedVersions(resource, minor)),
  );
  // The stable version sorts first.
  const versionEntries = [...versions].sort().map(version => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: versionEntries, preferredVersion: versionEntries[0] };
}

const listGroups = () => [...new Set(RESOURCES.map(({ group }) => group))].filter(group => group !== '');

const versionBody = (minor: number): Fields => ({
  major: '1',
  minor: String(minor),
  gitVersion: `v1.${minor}.2`,
  gitCommit: '0000000000000000000000000000000000000000',
  gitTreeState: 'clean',
  buildDate: '2021-01-13T13:20:00Z',
  goVersion: 'go1.15.5',
  compiler: 'gc',
  platform: 'linux/amd64',
});

/** Responds to discovery, version and health paths; `undefined` for other paths. */
export function discover(path: string, minor: number): ApiResponse | undefined {
  if (/^\/(livez|readyz|healthz)$/.test(path)) return { code: 200, body: 'ok' };
  if (/^\/version\/?$/.test(path)) return { code: 200, body: versionBody(minor) };
  const [, root, first, second, ...more] = path.replace(/\/$/, '').split('/');
  if (more.length > 0) return undefined;
  if (root === 'api' && second === undefined) {
    return first === undefined
      ? { code: 200, body: { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] } }
      : resourceList('', first, minor);
  }
  if (root !== 'apis') return undefined;
  if (first === undefined) {
    const groups = listGroups().map(group => describeGroup(group, minor));
    return { code: 200, body: { kind: 'APIGroupList', apiVersion: 'v1', groups } };
  }
  if (second !== undefined) return resourceList(first, second, minor);
  if (!listGroups().includes(first)) return undefined;
  return { code: 200, body: { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(first, minor) } };
}

/** Whether the group is served in any version. */
export function hasGroup(path: string): boolean {
  const [, root, group = ''] = path.split('/');
  return root === 'api' || (root === 'apis' && listGroups().includes(group));
}

// The account that the guide has people make for Hostler, with the rights that it gives there and no other.

import { parseAllDocuments } from 'yaml';
import { documentText } from '../documents/read-through.ts';
import { until } from '../until.ts';
import type { KubeApiserver } from './kube-apiserver.ts';

const GUIDE = 'docs/guides/container-managers.md';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** The first YAML below a heading of the guide. */
export function rightsBelow(heading: string): string {
  const [, below] = documentText(GUIDE).split(`\n${heading}\n`);
  const [, yaml] = /```yaml\n([\s\S]*?)\n```/.exec(below ?? '') ?? [];
  if (yaml === undefined) throw new Error(`${GUIDE} has no YAML below ${heading}`);
  return yaml;
}

export const RIGHTS = '### Rights';

/** What the guide says is enough where others make the nodes. */
export function rightsWithoutJoining(): string {
  const [needed = '', joining] = rightsBelow(RIGHTS).split(/\n---\n# From here on: .*"delete" of nodes.*\n/);
  const lesser = needed.replace(/(?<=resources: \[nodes\], verbs: \[.*), delete(?=\])/, '');
  if (joining === undefined || lesser === needed) throw new Error(`${GUIDE} says it in other words`);
  return lesser;
}

function collectionOf({ kind, metadata: { namespace } }: Manifest): string {
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const group = kind.includes('Role') ? RBAC : '/api/v1';
  return `${group}${place}/${kind.toLowerCase()}s`;
}

/** What `kubectl apply` would do with them on a server that has none of them. */
export async function applyRights(server: KubeApiserver, yaml: string): Promise<void> {
  for (const document of parseAllDocuments(yaml)) {
    const body: Manifest = document.toJS();
    const answer = await server.request(collectionOf(body), { method: 'POST', body });
    if (answer.status !== 201) throw new Error(`${body.kind}: ${JSON.stringify(answer)}`);
  }
}

/** The token of the account, which a controller of Kubernetes puts into the secret. */
export async function tokenOfAccount(server: KubeApiserver): Promise<string> {
  const token = await until('the account has a token', async () => {
    const { body } = await server.request('/api/v1/namespaces/hostler/secrets/hostler-token');
    return (body as { data?: { token?: string } }).data?.token;
  });
  return Buffer.from(token, 'base64').toString();
}

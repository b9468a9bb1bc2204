// The account of contrib/kubernetes/ for Hostler, with the rights of its manifests and no others.

import { parseAllDocuments } from 'yaml';
import { documentText } from '../documents/read-through.ts';
import { until } from '../until.ts';
import type { KubeApiserver } from './kube-apiserver.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** A manifest that the guide tells administrators to apply. */
export const documentedRights = (file: 'rights.yaml' | 'openshift-approve.yaml'): string =>
  documentText(`contrib/kubernetes/${file}`);

/** The part of `rights.yaml` that is enough if others create the nodes. */
export function rightsWithoutJoining(): string {
  const [needed = '', joining] = documentedRights('rights.yaml').split(
    /\n---\n# From here on: .*"delete" of nodes.*\n/,
  );
  const lesser = needed.replace(/(?<=resources: \[nodes\], verbs: \[.*), delete(?=\])/, '');
  if (joining === undefined || lesser === needed)
    throw new Error('the comment in rights.yaml has other words');
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

// The service account of contrib/kubernetes/ with exactly the permissions of its manifests.

import { parseAllDocuments } from 'yaml';
import { readDocument } from '../documents/run-document.ts';
import { waitUntil } from '../wait-until.ts';
import type { KubeApiserver } from './kube-apiserver.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export const readManifest = (file: 'rights.yaml' | 'openshift-approve.yaml'): string =>
  readDocument(`contrib/kubernetes/${file}`);

/** The part of `rights.yaml` for clusters whose nodes others create. */
export function permissionsWithoutJoin(): string {
  const [needed = '', joining] = readManifest('rights.yaml').split(/\n---\n# From here on: .*"delete" of nodes.*\n/);
  const reduced = needed.replace(/(?<=resources: \[nodes\], verbs: \[.*), delete(?=\])/, '');
  if (joining === undefined || reduced === needed) throw new Error('the comment in rights.yaml has changed');
  return reduced;
}

function collectionPath({ kind, metadata: { namespace } }: Manifest): string {
  const namespacePath = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const group = kind.includes('Role') ? RBAC : '/api/v1';
  return `${group}${namespacePath}/${kind.toLowerCase()}s`;
}

/** Like `kubectl apply` for new objects. */
export async function applyManifests(server: KubeApiserver, yaml: string): Promise<void> {
  for (const document of parseAllDocuments(yaml)) {
    const body: Manifest = document.toJS();
    const response = await server.request(collectionPath(body), { method: 'POST', body });
    if (response.status !== 201) throw new Error(`${body.kind}: ${JSON.stringify(response)}`);
  }
}

/** A Kubernetes controller writes the token into the secret. */
export async function readAccountToken(server: KubeApiserver): Promise<string> {
  const token = await waitUntil('the account has a token', async () => {
    const { body } = await server.request('/api/v1/namespaces/hostler/secrets/hostler-token');
    return (body as { data?: { token?: string } }).data?.token;
  });
  return Buffer.from(token, 'base64').toString();
}

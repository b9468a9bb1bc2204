import { reading } from '../reading.ts';
import type { ApiServer } from './api-server.ts';
import type { KubeNode } from './kube-node.ts';
import { FIELD_MANAGER, kubeNodeOf, nodeSchema } from './kube-node.ts';
import type { Listed } from './pages.ts';
import { listing } from './pages.ts';

const PATH = '/api/v1/nodes';
const MERGE_PATCH = 'application/merge-patch+json';

const pathOf = (name: string) => `${PATH}/${encodeURIComponent(name)}`;
const readNode = reading('a node of the API', nodeSchema);
const listNodes = listing(nodeSchema, kubeNodeOf);

/** What is changed of a node; null removes. */
export interface NodePatch {
  readonly annotations: Readonly<Record<string, string | null>>;
  readonly unschedulable?: true | null;
}

export interface NodesApi {
  get(name: string): Promise<KubeNode | undefined>;
  /** All of them, or those with a label. */
  list(labelSelector?: string): Promise<Listed<KubeNode>>;
  /** Changes a node if it is still as it was read; `gone` if there is none of its name any more. */
  patch(node: KubeNode, patch: NodePatch): Promise<'patched' | 'conflict' | 'gone'>;
  /** Deletes this very node; one that has taken its name stays. */
  delete(node: Pick<KubeNode, 'name' | 'uid'>): Promise<void>;
}

export const nodesApi = (server: ApiServer): NodesApi => ({
  async get(name) {
    const call = { method: 'GET', path: pathOf(name), what: 'read nodes', expects: [404] } as const;
    const { status, body } = await server.ask(call);
    return status === 404 ? undefined : kubeNodeOf(readNode(body));
  },
  list: labelSelector => listNodes(server, { path: PATH, what: 'list nodes', query: { labelSelector } }),
  async patch({ name, resourceVersion }, { annotations, unschedulable }) {
    const { status } = await server.ask({
      method: 'PATCH',
      path: pathOf(name),
      query: { fieldManager: FIELD_MANAGER },
      contentType: MERGE_PATCH,
      body: {
        metadata: { resourceVersion, annotations },
        ...(unschedulable !== undefined && { spec: { unschedulable } }),
      },
      what: 'change nodes',
      expects: [404, 409],
    });
    if (status === 404) return 'gone';
    return status === 409 ? 'conflict' : 'patched';
  },
  async delete({ name, uid }) {
    await server.ask({
      method: 'DELETE',
      path: pathOf(name),
      body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid } },
      what: 'delete nodes',
      expects: [404, 409],
    });
  },
});

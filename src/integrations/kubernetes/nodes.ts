import type { Static } from 'typebox';
import Type from 'typebox';
import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { listSome } from '../../lib/text.ts';
import { schemaParser } from '../http/schema-parser.ts';
import type { ApiServer } from './api-server.ts';
import { createLister } from './list-pages.ts';

export const FIELD_MANAGER = 'hostler';

const texts = Type.Record(Type.String(), Type.String());

export const nodeSchema = Type.Object({
  metadata: Type.Object({
    name: Type.String({ maxLength: 253 }),
    uid: Type.String({ maxLength: 253 }),
    resourceVersion: Type.String(),
    labels: Type.Optional(texts),
    annotations: Type.Optional(texts),
    managedFields: Type.Optional(
      Type.Array(
        Type.Object({
          manager: Type.Optional(Type.String()),
          fieldsV1: Type.Optional(Type.Object({ 'f:spec': Type.Optional(Type.Record(Type.String(), Type.Unknown())) })),
        }),
      ),
    ),
  }),
  spec: Type.Optional(Type.Object({ unschedulable: Type.Optional(Type.Boolean()) })),
  status: Type.Optional(
    Type.Object({
      addresses: Type.Optional(Type.Array(Type.Object({ type: Type.String(), address: Type.String() }))),
      conditions: Type.Optional(Type.Array(Type.Object({ type: Type.String(), status: Type.String() }))),
      capacity: Type.Optional(texts),
      nodeInfo: Type.Optional(
        Type.Object({ bootID: Type.Optional(Type.String()), osImage: Type.Optional(Type.String()) }),
      ),
    }),
  ),
});

type NodeAddresses = NonNullable<NonNullable<Static<typeof nodeSchema>['status']>['addresses']>;

const parseAddresses = (addresses: NodeAddresses, type: string): Address[] =>
  addresses.flatMap(one => (one.type === type ? (parseAddress(one.address) ?? []) : []));

export type KubeNode = Readonly<ReturnType<typeof toKubeNode>>;

export function toKubeNode({ metadata, spec, status = {} }: Static<typeof nodeSchema>) {
  const { addresses = [], conditions = [], nodeInfo = {} } = status;
  return {
    name: metadata.name,
    /** Distinguishes the node from other nodes of the same name. */
    uid: metadata.uid,
    /** Changes with every update; the server rejects a write with an old one. */
    resourceVersion: metadata.resourceVersion,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    /** Kubernetes quantities such as `16393244Ki`, by resource. */
    capacity: status.capacity ?? {},
    isUnschedulable: spec?.unschedulable ?? false,
    /** The field managers that set `spec.unschedulable`. Empty if unknown, as before Kubernetes 1.18. */
    cordonFieldManagers: (metadata.managedFields ?? []).flatMap(({ manager = '', fieldsV1 }) =>
      fieldsV1?.['f:spec']?.['f:unschedulable'] === undefined ? [] : [manager],
    ),
    /** IP literals without duplicates, internal addresses first. */
    addresses: [...new Set([...parseAddresses(addresses, 'InternalIP'), ...parseAddresses(addresses, 'ExternalIP')])],
    hostname: addresses.find(({ type }) => type === 'Hostname')?.address,
    /** `True`, `False` or `Unknown`, by type. */
    conditions: Object.fromEntries(conditions.map(condition => [condition.type, condition.status])),
    bootId: nodeInfo.bootID || undefined,
    osImage: nodeInfo.osImage || undefined,
  };
}

export const isReadyNode = ({ conditions }: KubeNode): boolean => conditions['Ready'] === 'True';

export const formatNodeNames = (nodes: readonly KubeNode[]): string =>
  listSome(nodes.map(({ name }) => sanitizeLine(name)));

const PATH = '/api/v1/nodes';
const MERGE_PATCH = 'application/merge-patch+json';

const nodePath = (name: string) => `${PATH}/${encodeURIComponent(name)}`;
const readNode = schemaParser('a node of the API', nodeSchema);
const listNodes = createLister(nodeSchema, toKubeNode);

/** null removes a field. */
export interface NodePatch {
  readonly annotations: Readonly<Record<string, string | null>>;
  readonly unschedulable?: true | null;
}

export type NodesApi = ReturnType<typeof createNodesApi>;

export const createNodesApi = (server: ApiServer) => ({
  get: (name: string) => server.get(nodePath(name), 'read nodes', body => toKubeNode(readNode(body))),
  list: (labelSelector?: string) => listNodes(server, { path: PATH, action: 'list nodes', query: { labelSelector } }),
  /** Updates the node if it has not changed since it was read. */
  async patch({ name, resourceVersion }: KubeNode, { annotations, unschedulable }: NodePatch) {
    const { status } = await server.request({
      method: 'PATCH',
      path: nodePath(name),
      query: { fieldManager: FIELD_MANAGER },
      contentType: MERGE_PATCH,
      body: {
        metadata: { resourceVersion, annotations },
        ...(unschedulable !== undefined && { spec: { unschedulable } }),
      },
      action: 'change nodes',
      acceptedStatuses: [404, 409],
    });
    if (status === 404) return 'gone';
    return status === 409 ? 'conflict' : 'patched';
  },
  /** Deletes the node only if its UID matches. */
  delete: ({ name, uid }: Pick<KubeNode, 'name' | 'uid'>) => server.delete(nodePath(name), 'delete nodes', uid),
});

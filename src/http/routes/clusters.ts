import type { Static } from 'typebox';
import type { App } from '../../app/index.ts';
import type { Cluster, clusterRoutes } from '../../contract/routes/clusters.ts';
import type { ClusterWithCounts } from '../../domain/cluster.ts';
import { clusterHealth } from '../../domain/cluster.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { HandlersFor } from '../request-context.ts';
import { toEtag } from '../requests/request-headers.ts';
import { parseAddressPage, parseNamePage, toNameListResult } from '../responses/pagination.ts';
import { parsePolicyInput, viewPolicyInput } from '../views/policy.ts';

export function viewCluster({ name, network, containerManager, members }: ClusterWithCounts): Static<typeof Cluster> {
  const { status, ...hosts } = clusterHealth(members);
  return { name, status, network, container_manager: containerManager ?? '', hosts };
}

const toResult = (cluster: ClusterWithCounts) => ({
  body: viewCluster(cluster),
  headers: { etag: toEtag(cluster.revision) },
});

export const clusterHandlers = ({ clusters }: App): HandlersFor<typeof clusterRoutes> => ({
  listClusters: async ({ query, url }) => {
    const page = parseNamePage(query);
    return page instanceof AppError ? page : toNameListResult(url, await clusters.list(page));
  },

  getCluster: async ({ params }) => {
    const cluster = await clusters.get(params.name);
    return cluster instanceof AppError ? cluster : toResult(cluster);
  },

  putCluster: async ({ actor, params, body, ifMatch }) => {
    const result = await clusters.put(actor, {
      name: params.name,
      network: toRecordName(body.network),
      containerManager: body.container_manager ? toRecordName(body.container_manager) : null,
      expected: ifMatch,
    });
    return result instanceof AppError ? result : { ...toResult(result.record), isNew: result.isNew };
  },

  removeCluster: async ({ actor, params, ifMatch }) =>
    (await clusters.remove(actor, { name: params.name, expected: ifMatch })) ?? { body: [] },

  listMembers: async ({ params, query, url }) => {
    const page = parseAddressPage(query);
    if (page instanceof AppError) return page;
    const members = await clusters.listMembers(params.name, page);
    return members instanceof AppError ? members : toNameListResult(url, members);
  },

  replaceMembers: async ({ actor, params, body }) => {
    const members = await clusters.replaceMembers(actor, { name: params.name, old: body.old, new: body.new });
    return members instanceof AppError ? members : { body: [...members] };
  },

  getMember: async ({ params }) => {
    const member = await clusters.getMember(params.name, params.address);
    return member instanceof AppError ? member : { body: [member] };
  },

  addMember: async ({ actor, params }) => {
    const member = await clusters.addMember(actor, params.name, params.address);
    return member instanceof AppError ? member : { body: [member] };
  },

  getClusterPolicy: async ({ params }) => {
    const input = await clusters.readPolicy(params.name);
    return input instanceof AppError ? input : { body: viewPolicyInput(input) };
  },

  putClusterPolicy: async ({ actor, params, body }) => {
    const input = parsePolicyInput(body, '');
    if (Array.isArray(input)) return invalidBody(...input);
    const saved = await clusters.setPolicy(actor, { name: params.name, input });
    return saved instanceof AppError ? saved : { body: viewPolicyInput(saved) };
  },

  removeMember: async ({ actor, params }) =>
    (await clusters.removeMember(actor, params.name, params.address)) ?? { body: [] },
});

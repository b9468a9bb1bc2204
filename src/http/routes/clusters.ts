import type { App } from '../../app/index.ts';
import type { Cluster, clusterRoutes } from '../../contract/routes/clusters.ts';
import type { ClusterWithCounts } from '../../domain/cluster.ts';
import { clusterHealth } from '../../domain/cluster.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { respond, respondPlain, respondPut } from '../register-route.ts';
import type { HandlersFor, View } from '../request-context.ts';
import { etagHeader } from '../requests/request-headers.ts';
import { parseAddressPage, respondPage, stringifyView, toListResult } from '../responses/pagination.ts';
import { parsePolicyInput, viewPolicyInput } from '../views/policy.ts';

export function viewCluster({ name, network, containerManager, members }: ClusterWithCounts): View<typeof Cluster> {
  const { status, ...hosts } = clusterHealth(members);
  return { name, status, network, container_manager: containerManager ?? '', hosts };
}

export const clusterHandlers = ({ clusters }: App): HandlersFor<typeof clusterRoutes> => ({
  listClusters: context =>
    context.query.extended
      ? respondPage(context, clusters.listWithCounts, ({ name }) => name, stringifyView(viewCluster))
      : respondPage(context, clusters.list),

  getCluster: async ({ params }) => respond(await clusters.get(params.name), viewCluster, { headers: etagHeader }),

  putCluster: async ({ actor, params, body, ifMatch }) => {
    const request = {
      name: params.name,
      network: toRecordName(body.network),
      containerManager: body.container_manager ? toRecordName(body.container_manager) : null,
      expected: ifMatch,
    };
    return respondPut(await clusters.put(actor, request), viewCluster, { headers: etagHeader });
  },

  removeCluster: async ({ actor, params, ifMatch }) =>
    (await clusters.remove(actor, { name: params.name, expected: ifMatch })) ?? { body: [] },

  listMembers: async ({ params, query, url }) => {
    const page = parseAddressPage(query);
    if (page instanceof AppError) return page;
    const members = await clusters.listMembers(params.name, page);
    return members instanceof AppError ? members : toListResult(url, members, String, JSON.stringify);
  },

  replaceMembers: async ({ actor, params, body }) =>
    respondPlain(await clusters.replaceMembers(actor, { name: params.name, old: body.old, new: body.new })),

  getMember: async ({ params }) => respond(await clusters.getMember(params.name, params.address), member => [member]),

  addMember: async ({ actor, params }) =>
    respond(await clusters.addMember(actor, params.name, params.address), member => [member]),

  getClusterPolicy: async ({ params }) => respond(await clusters.readPolicy(params.name), viewPolicyInput),

  putClusterPolicy: async ({ actor, params, body }) => {
    const input = parsePolicyInput(body, '');
    if (input instanceof AppError) return input;
    return respond(await clusters.setPolicy(actor, { name: params.name, input }), viewPolicyInput);
  },

  removeMember: async ({ actor, params }) =>
    (await clusters.removeMember(actor, params.name, params.address)) ?? { body: [] },
});

import type { App } from '../../app/index.ts';
import type { clusterRoutes } from '../../contract/routes/clusters.ts';
import type { ClusterWithCounts } from '../../domain/cluster.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { answerNames, pageOfAddresses, pageOfNames } from '../answers/paging.ts';
import type { HandlersOf } from '../call.ts';
import { etagOf } from '../requests/conditional.ts';
import { viewCluster } from '../views/cluster.ts';
import { toPolicyWish } from '../views/policy.ts';
import { viewPolicyWish } from '../views/policy-wish.ts';

const view = (cluster: ClusterWithCounts) => ({
  body: viewCluster(cluster),
  headers: { etag: etagOf(cluster.revision) },
});

export const clusterHandlers = ({ clusters }: App): HandlersOf<typeof clusterRoutes> => ({
  listClusters: async ({ query, url }) => {
    const page = pageOfNames(query);
    return page instanceof AppError ? page : answerNames(url, await clusters.list(page));
  },

  getCluster: async ({ params }) => {
    const cluster = await clusters.get(params.name);
    return cluster instanceof AppError ? cluster : view(cluster);
  },

  putCluster: async ({ actor, params, body, expected }) => {
    const result = await clusters.put(actor, {
      name: params.name,
      network: toRecordName(body.network),
      containerManager: body.container_manager ? toRecordName(body.container_manager) : null,
      expected,
    });
    return result instanceof AppError ? result : { ...view(result.record), isNew: result.isNew };
  },

  removeCluster: async ({ actor, params, expected }) =>
    (await clusters.remove(actor, { name: params.name, expected })) ?? { body: [] },

  listMembers: async ({ params, query, url }) => {
    const page = pageOfAddresses(query);
    if (page instanceof AppError) return page;
    const members = await clusters.listMembers(params.name, page);
    return members instanceof AppError ? members : answerNames(url, members);
  },

  replaceMembers: async ({ actor, params, body }) => {
    const members = await clusters.replaceMembers(actor, { name: params.name, old: body.old, new: body.new });
    return members instanceof AppError ? members : { body: [...members] };
  },

  getMember: async ({ params }) => {
    const member = await clusters.testMember(params.name, params.address);
    return member instanceof AppError ? member : { body: [member] };
  },

  addMember: async ({ actor, params }) => {
    const member = await clusters.addMember(actor, params.name, params.address);
    return member instanceof AppError ? member : { body: [member] };
  },

  getClusterPolicy: async ({ params }) => {
    const wish = await clusters.readPolicy(params.name);
    return wish instanceof AppError ? wish : { body: viewPolicyWish(wish) };
  },

  putClusterPolicy: async ({ actor, params, body }) => {
    const wish = toPolicyWish(body, '');
    if (Array.isArray(wish)) return invalidBody(...wish);
    const set = await clusters.setPolicy(actor, { name: params.name, wish });
    return set instanceof AppError ? set : { body: viewPolicyWish(set) };
  },

  removeMember: async ({ actor, params }) =>
    (await clusters.removeMember(actor, params.name, params.address)) ?? { body: [] },
});

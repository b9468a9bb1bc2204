import type { App } from '../../app/index.ts';
import { DEFAULT_LIMIT } from '../../contract/fields.ts';
import type { operationRoutes } from '../../contract/routes/operations.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress } from '../../domain/addresses/address.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import { answerList, nextLink, pageOfAddresses } from '../answers/paging.ts';
import type { HandlersOf } from '../call.ts';
import { hostInQuery } from '../requests/host-in-query.ts';
import { viewOperation, viewOperationHost, viewReport } from '../views/operation.ts';

/** The addresses in a field of a body; `undefined`: the field is missing. */
function addressesIn<Field extends string>(
  body: { readonly [Name in Field]?: readonly string[] },
  field: Field,
): readonly Address[] | undefined | AppError {
  const parsed = body[field]?.map(parseAddress);
  const errors = (parsed ?? []).flatMap((address, index) =>
    address === undefined ? [{ path: `/${field}/${index}`, message: ADDRESS_MESSAGE }] : [],
  );
  return errors.length > 0 ? invalidBody(...errors) : parsed?.filter(address => address !== undefined);
}

export const operationHandlers = ({ operations }: App): HandlersOf<typeof operationRoutes> => {
  /** What was steered, and what may be asked of it from now on. */
  async function answer(steered: ClusterOperation | AppError) {
    if (steered instanceof AppError) return steered;
    return { body: viewOperation(await operations.summarize(steered)) };
  }

  return {
    listOperations: async ({ query, url }) => {
      const { cluster, kind, status, after, limit = DEFAULT_LIMIT } = query;
      const host = hostInQuery(query);
      if (host instanceof AppError) return host;
      const filter = {
        cluster: cluster === undefined ? undefined : toRecordName(cluster),
        ...{ kind, status, host },
      };
      const listed = await operations.list(filter, { after, limit });
      if (listed instanceof AppError) return listed;
      return answerList(
        url,
        listed,
        summary => summary.operation.id,
        summary => JSON.stringify(viewOperation(summary)),
      );
    },

    getOperation: async ({ params, query, url }) => {
      const page = pageOfAddresses(query);
      if (page instanceof AppError) return page;
      const report = await operations.get(params.id, page);
      if (report instanceof AppError) return report;
      const last = report.hosts.hasMore ? report.hosts.items.at(-1) : undefined;
      return { body: viewReport(report), ...(last && { headers: { link: nextLink(url, last.host) } }) };
    },

    getOperationHost: async ({ params }) => {
      const host = await operations.getHost(params.id, params.address);
      return host instanceof AppError ? host : { body: viewOperationHost(host) };
    },

    pauseOperation: async ({ actor, params }) => answer(await operations.pause(actor, params.id)),
    resumeOperation: async ({ actor, params }) => answer(await operations.resume(actor, params.id)),
    cancelOperation: async ({ actor, params }) => answer(await operations.cancel(actor, params.id)),

    retryHosts: async ({ actor, params, body }) => {
      const hosts = addressesIn(body, 'hosts');
      if (hosts instanceof AppError) return hosts;
      const exclude = addressesIn(body, 'exclude');
      if (exclude instanceof AppError) return exclude;
      return answer(await operations.retry(actor, { id: params.id, hosts, exclude: exclude ?? [] }));
    },

    skipHosts: async ({ actor, params, body }) => {
      const hosts = addressesIn(body, 'hosts');
      if (hosts instanceof AppError) return hosts;
      return answer(await operations.skip(actor, { id: params.id, hosts }));
    },
  };
};

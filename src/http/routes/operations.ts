import type { App } from '../../app/index.ts';
import { DEFAULT_LIMIT } from '../../contract/fields.ts';
import type { operationRoutes } from '../../contract/routes/operations.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress } from '../../domain/addresses/address.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import { respond } from '../register-route.ts';
import type { HandlersFor } from '../request-context.ts';
import { nextLinkHeader, parseAddressPage, stringifyView, toListResult } from '../responses/pagination.ts';
import { viewOperation, viewOperationHost, viewReport } from '../views/operation.ts';
import { parseHostParameter } from './query-parameters.ts';

function parseAddresses<Field extends string>(
  body: { readonly [Name in Field]?: readonly string[] },
  field: Field,
): readonly Address[] | undefined | AppError {
  const parsed = body[field]?.map(parseAddress);
  const errors = (parsed ?? []).flatMap((address, index) =>
    address === undefined ? [{ path: `/${field}/${index}`, message: ADDRESS_MESSAGE }] : [],
  );
  return errors.length > 0 ? invalidBody(...errors) : parsed?.filter(address => address !== undefined);
}

export const operationHandlers = ({ operations }: App): HandlersFor<typeof operationRoutes> => {
  async function toResult(operation: ClusterOperation | AppError) {
    if (operation instanceof AppError) return operation;
    return { body: viewOperation(await operations.summarize(operation)) };
  }

  return {
    listOperations: async ({ query, url }) => {
      const { cluster, kind, status, after, limit = DEFAULT_LIMIT } = query;
      const host = parseHostParameter(query);
      if (host instanceof AppError) return host;
      const filter = { cluster: cluster === undefined ? undefined : toRecordName(cluster), kind, status, host };
      const page = await operations.list(filter, { after, limit });
      if (page instanceof AppError) return page;
      return toListResult(url, page, summary => summary.operation.id, stringifyView(viewOperation));
    },

    getOperation: async ({ params, query, url }) => {
      const page = parseAddressPage(query);
      if (page instanceof AppError) return page;
      return respond(await operations.get(params.id, page), viewReport, {
        headers: ({ hosts }) => nextLinkHeader(url, hosts, ({ host }) => host),
      });
    },

    getOperationHost: async ({ params }) =>
      respond(await operations.getHost(params.id, params.address), viewOperationHost),

    pauseOperation: async ({ actor, params }) => toResult(await operations.pause(actor, params.id)),
    resumeOperation: async ({ actor, params }) => toResult(await operations.resume(actor, params.id)),
    cancelOperation: async ({ actor, params }) => toResult(await operations.cancel(actor, params.id)),

    retryHosts: async ({ actor, params, body }) => {
      const hosts = parseAddresses(body, 'hosts');
      if (hosts instanceof AppError) return hosts;
      const exclude = parseAddresses(body, 'exclude');
      if (exclude instanceof AppError) return exclude;
      return toResult(await operations.retry(actor, { id: params.id, hosts, exclude: exclude ?? [] }));
    },

    skipHosts: async ({ actor, params, body }) => {
      const hosts = parseAddresses(body, 'hosts');
      if (hosts instanceof AppError) return hosts;
      return toResult(await operations.skip(actor, { id: params.id, hosts }));
    },

    getGlobalPause: async () => ({ body: { paused: await operations.readGlobalPause() } }),
    pauseAllOperations: async ({ actor }) => ({ body: { paused: await operations.setGlobalPause(actor, true) } }),
    resumeAllOperations: async ({ actor }) => ({ body: { paused: await operations.setGlobalPause(actor, false) } }),
  };
};

import type { App } from '../../app/index.ts';
import type { driverRecordRoutes, driverRoutes } from '../../contract/routes/driver-records.ts';
import { AppError } from '../../domain/errors.ts';
import type { Handler, HandlersFor } from '../request-context.ts';
import { toEtag } from '../requests/request-headers.ts';
import { parseNamePage, toNameListResult } from '../responses/pagination.ts';

type Routes = typeof driverRecordRoutes;
type UseCases = App['networks'];
type ReadableRecord = Exclude<Awaited<ReturnType<UseCases['get']>>, AppError>;

const toResult = ({ name, type, options, revision }: ReadableRecord) => ({
  body: { name, type, options: { ...options } },
  headers: { etag: toEtag(revision) },
});

// Networks and container managers share these handlers.

const list =
  (useCases: UseCases): Handler<Routes['listNetworks']> =>
  async ({ query, url }) => {
    const page = parseNamePage(query);
    if (page instanceof AppError) return page;
    return toNameListResult(url, await useCases.list(page));
  };

const get =
  (useCases: UseCases): Handler<Routes['getNetwork']> =>
  async ({ actor, params }) => {
    const record = await useCases.get(actor, params.name);
    return record instanceof AppError ? record : toResult(record);
  };

const put =
  (useCases: UseCases): Handler<Routes['putNetwork']> =>
  async ({ actor, params, body, ifMatch }) => {
    const { type, options } = body;
    const result = await useCases.put(actor, { name: params.name, type, options, expected: ifMatch });
    return result instanceof AppError ? result : { ...toResult(result.record), isNew: result.isNew };
  };

const remove =
  (useCases: UseCases): Handler<Routes['removeNetwork']> =>
  async ({ actor, params, ifMatch }) =>
    (await useCases.remove(actor, { name: params.name, expected: ifMatch })) ?? { body: [] };

const check =
  (useCases: UseCases): Handler<Routes['checkNetwork']> =>
  async ({ params }) => {
    const checkResult = await useCases.check(params.name);
    if (checkResult instanceof AppError) return checkResult;
    const { problems, ...rest } = checkResult;
    return { body: { ...rest, ok: problems.length === 0, problems: [...problems] } };
  };

export const driverRecordHandlers = ({ networks, containerManagers }: App): HandlersFor<Routes> => ({
  listNetworks: list(networks),
  getNetwork: get(networks),
  putNetwork: put(networks),
  removeNetwork: remove(networks),
  checkNetwork: check(networks),
  listContainerManagers: list(containerManagers),
  getContainerManager: get(containerManagers),
  putContainerManager: put(containerManagers),
  removeContainerManager: remove(containerManagers),
  checkContainerManager: check(containerManagers),
});

export const driverHandlers = (app: App): HandlersFor<typeof driverRoutes> => ({
  listDrivers: async () => {
    const { os, ...others } = app.listDrivers();
    return { body: { ...others, os: os.map(driver => ({ ...driver, systems: [...driver.systems] })) } };
  },
});

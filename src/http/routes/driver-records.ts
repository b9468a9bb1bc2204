import type { App } from '../../app/index.ts';
import type { driverRecordRoutes } from '../../contract/routes/driver-records.ts';
import { AppError } from '../../domain/errors.ts';
import { answerNames, pageOfNames } from '../answers/paging.ts';
import type { Handler, HandlersOf } from '../call.ts';
import { etagOf } from '../requests/conditional.ts';

type Rows = typeof driverRecordRoutes;
type UseCases = App['networks'];
type Readable = Exclude<Awaited<ReturnType<UseCases['get']>>, AppError>;

const view = ({ name, type, options, revision }: Readable) => ({
  body: { name, type, options: { ...options } },
  headers: { etag: etagOf(revision) },
});

// Networks and container managers are served alike.

const list =
  (useCases: UseCases): Handler<Rows['listNetworks']> =>
  async ({ query, url }) => {
    const page = pageOfNames(query);
    if (page instanceof AppError) return page;
    return answerNames(url, await useCases.list(page));
  };

const get =
  (useCases: UseCases): Handler<Rows['getNetwork']> =>
  async ({ actor, params }) => {
    const record = await useCases.get(actor, params.name);
    return record instanceof AppError ? record : view(record);
  };

const put =
  (useCases: UseCases): Handler<Rows['putNetwork']> =>
  async ({ actor, params, body, expected }) => {
    const { type, options } = body;
    const result = await useCases.put(actor, { name: params.name, type, options, expected });
    return result instanceof AppError ? result : { ...view(result.record), isNew: result.isNew };
  };

const remove =
  (useCases: UseCases): Handler<Rows['removeNetwork']> =>
  async ({ actor, params, expected }) =>
    (await useCases.remove(actor, { name: params.name, expected })) ?? { body: [] };

const check =
  (useCases: UseCases): Handler<Rows['checkNetwork']> =>
  async ({ params }) => {
    const checked = await useCases.check(params.name);
    if (checked instanceof AppError) return checked;
    const { problems, ...rest } = checked;
    return { body: { ...rest, ok: problems.length === 0, problems: [...problems] } };
  };

export const driverRecordHandlers = ({ networks, containerManagers }: App): HandlersOf<Rows> => ({
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

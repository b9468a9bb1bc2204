import type { App } from '../../app/index.ts';
import type { driverRecordRoutes, driverRoutes } from '../../contract/routes/driver-records.ts';
import type { AppError } from '../../domain/errors.ts';
import { respond, respondPut } from '../register-route.ts';
import type { Handler, HandlersFor } from '../request-context.ts';
import { etagHeader } from '../requests/request-headers.ts';
import { respondPage, stringifyView } from '../responses/pagination.ts';

type Routes = typeof driverRecordRoutes;
type UseCases = App['networks'];
type ReadableRecord = Exclude<Awaited<ReturnType<UseCases['get']>>, AppError>;

const viewRecord = ({ name, type, options }: ReadableRecord) => ({ name, type, options });

export const viewCheck = <Check extends { readonly problems: readonly string[] }>({ problems, ...check }: Check) => ({
  ...check,
  ok: problems.length === 0,
  problems,
});

interface RecordHandlers {
  readonly list: Handler<Routes['listNetworks']>;
  readonly get: Handler<Routes['getNetwork']>;
  readonly put: Handler<Routes['putNetwork']>;
  readonly remove: Handler<Routes['removeNetwork']>;
  readonly check: Handler<Routes['checkNetwork']>;
}

const recordHandlers = (useCases: UseCases): RecordHandlers => ({
  list: context =>
    context.query.extended
      ? respondPage(context, useCases.listRedacted, ({ name }) => name, stringifyView(viewRecord))
      : respondPage(context, useCases.list),
  get: async ({ actor, params }) =>
    respond(await useCases.get(actor, params.name), viewRecord, { headers: etagHeader }),
  put: async ({ actor, params, body: { type, options }, ifMatch }) => {
    const request = { name: params.name, type, options, expected: ifMatch };
    return respondPut(await useCases.put(actor, request), viewRecord, { headers: etagHeader });
  },
  remove: async ({ actor, params, ifMatch }) =>
    (await useCases.remove(actor, { name: params.name, expected: ifMatch })) ?? { body: [] },
  check: async ({ params }) => respond(await useCases.check(params.name), viewCheck),
});

export function driverRecordHandlers(app: App): HandlersFor<Routes & typeof driverRoutes> {
  const networks = recordHandlers(app.networks);
  const containerManagers = recordHandlers(app.containerManagers);
  return {
    listNetworks: networks.list,
    getNetwork: networks.get,
    putNetwork: networks.put,
    removeNetwork: networks.remove,
    checkNetwork: networks.check,
    listContainerManagers: containerManagers.list,
    getContainerManager: containerManagers.get,
    putContainerManager: containerManagers.put,
    removeContainerManager: containerManagers.remove,
    checkContainerManager: containerManagers.check,
    listDrivers: async () => ({ body: app.listDrivers() }),
  };
}

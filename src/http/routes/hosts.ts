import type { App } from '../../app/index.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { hostRoutes } from '../../contract/routes/hosts.ts';
import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { addressOfEntry } from '../../domain/hosts/host.ts';
import { answerList, pageOfAddresses } from '../answers/paging.ts';
import type { HandlersOf } from '../call.ts';
import { enrolRequestOf } from '../requests/enrol-request.ts';
import { hostQueryOf } from '../requests/host-query.ts';
import { viewExtendedLine, viewHost, viewHostLine } from '../views/host.ts';

type Rows = typeof hostRoutes;
type EnrolBody = BodyOf<Rows['enrolSelf']>;

async function enrol({ hosts }: App, actor: Actor, address: Address, body: EnrolBody) {
  const result = await hosts.enrol(actor, enrolRequestOf(address, body));
  if (result instanceof AppError) return result;
  return {
    body: viewHost(result.record),
    isNew: result.isNew,
    headers: { location: `/api/v0/host/${address}` },
  };
}

export const hostHandlers = (app: App): HandlersOf<Rows> => ({
  listHosts: async ({ query, url }) => {
    const page = pageOfAddresses(query);
    if (page instanceof AppError) return page;
    const asked = { ...hostQueryOf(query), hostname: query.hostname, addressPart: query.q };
    if (query.extended) {
      const listed = await app.hosts.listExtended(asked, page);
      if (listed instanceof AppError) return listed;
      return answerList(url, listed, ({ entryJson }) => addressOfEntry(entryJson), viewExtendedLine);
    }
    const listed = await app.hosts.list(asked, page);
    return listed instanceof AppError ? listed : answerList(url, listed, addressOfEntry, line => line);
  },

  getHost: async ({ params }) => {
    const host = await app.hosts.get(params.address);
    return host instanceof AppError ? host : { body: viewHostLine(host) };
  },

  putHost: ({ actor, params, body }) => enrol(app, actor, params.address, body),

  enrolSelf: async ({ actor, body }) => {
    const address = app.enrolmentAddress(actor, body);
    return address instanceof AppError ? address : enrol(app, actor, address, body);
  },

  removeHost: async ({ actor, params }) => (await app.hosts.remove(actor, params.address)) ?? { body: [] },
});

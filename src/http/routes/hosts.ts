import type { EnrolmentRequest } from '../../app/hosts/enrol-host.ts';
import type { App } from '../../app/index.ts';
import type { BodyOf } from '../../contract/route-definition.ts';
import type { hostAccessRoutes } from '../../contract/routes/host-access.ts';
import type { hostManagementRoutes } from '../../contract/routes/host-management.ts';
import type { hostRoutes } from '../../contract/routes/hosts.ts';
import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { addressOfEntry } from '../../domain/hosts/host.ts';
import { stripKeyComment } from '../../domain/hosts/host-key.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { respond, respondPlain, respondPut } from '../register-route.ts';
import type { HandlersFor } from '../request-context.ts';
import { parseAddressPage, toListResult } from '../responses/pagination.ts';
import { viewExtendedHostEntry, viewHost, viewHostStatus, viewStoredHost } from '../views/host.ts';
import { toHostListQuery } from './query-parameters.ts';

type Routes = typeof hostRoutes & typeof hostAccessRoutes & typeof hostManagementRoutes;

/** The key is optional here. The use case requires it unless the client uses a token. */
type EnrolBody = Omit<BodyOf<Routes['enrolSelf']>, 'address' | 'host'>;

export const toEnrolmentRequest = (address: Address, body: EnrolBody): EnrolmentRequest => ({
  address,
  sshPrivKey: body.ssh_priv_key === undefined ? undefined : new Secret(body.ssh_priv_key),
  remoteUser: body.remote_user,
  sshPort: body.ssh_port,
  hostKeys: body.host_keys,
  transport: body.transport,
  cluster: body.cluster ? toRecordName(body.cluster) : undefined,
  source: body.source,
});

const enrol = async ({ hosts }: App, actor: Actor, address: Address, body: EnrolBody) =>
  respondPut(await hosts.enrol(actor, toEnrolmentRequest(address, body)), viewHost, {
    headers: () => ({ location: `/api/v0/host/${address}` }),
  });

export const hostHandlers = (app: App): HandlersFor<Routes> => ({
  listHosts: async ({ query, url }) => {
    const page = parseAddressPage(query);
    if (page instanceof AppError) return page;
    const listQuery = { ...toHostListQuery(query), hostname: query.hostname, search: query.q };
    if (query.extended) {
      const result = await app.hosts.listExtended(listQuery, page);
      if (result instanceof AppError) return result;
      return toListResult(url, result, ({ entryJson }) => addressOfEntry(entryJson), viewExtendedHostEntry);
    }
    const result = await app.hosts.list(listQuery, page);
    return result instanceof AppError ? result : toListResult(url, result, addressOfEntry, entryJson => entryJson);
  },

  getHost: async ({ params }) => respond(await app.hosts.get(params.address), viewStoredHost),

  putHost: ({ actor, params, body }) => enrol(app, actor, params.address, body),

  enrolSelf: async ({ actor, body }) => {
    const address = app.resolveEnrolmentAddress(actor, body);
    return address instanceof AppError ? address : enrol(app, actor, address, body);
  },

  resolveName: async ({ actor, query }) => respondPlain(await app.names.resolve(actor, query.name)),

  removeHost: async ({ actor, params }) => (await app.hosts.remove(actor, params.address)) ?? { body: [] },

  getHostAccess: async ({ params }) =>
    respond(await app.hosts.readAccess(params.address), ({ remoteUser, sshPort, hostKeys }) => ({
      remote_user: remoteUser,
      ssh_port: sshPort,
      host_keys: hostKeys.map(stripKeyComment),
    })),

  getHostCreds: async ({ actor, params }) =>
    respond(await app.hosts.readCredentials(actor, params.address), ({ sshPrivKey, remoteUser }) => ({
      ssh_priv_key: sshPrivKey.reveal(),
      remote_user: remoteUser,
    })),

  putHostCreds: async ({ actor, params, body }) => {
    const request = {
      address: params.address,
      sshPrivKey: new Secret(body.ssh_priv_key),
      remoteUser: body.remote_user,
      transport: body.transport,
    };
    return respond(await app.hosts.replaceCredentials(actor, request), viewHost);
  },

  acceptHostKey: async ({ actor, params, body: { fingerprint } }) =>
    respond(await app.hosts.acceptKey(actor, { address: params.address, fingerprint }), viewHost),

  getHostStatus: async ({ params }) => respond(await app.hosts.readStatus(params.address), viewHostStatus),

  getHostChecks: async ({ params }) => respondPlain(await app.hosts.listChecks(params.address)),

  bootstrapHost: async ({ actor, params }) => respond(await app.hosts.rebootstrap(actor, params.address), viewHost),

  getHostLabels: async ({ params }) => respondPlain(await app.hosts.readLabels(params.address)),

  putHostLabels: async ({ actor, params, body }) =>
    respondPlain(await app.hosts.replaceLabels(actor, { address: params.address, labels: body })),

  getHostMaintenance: async ({ params }) => respondPlain(await app.hosts.readMaintenance(params.address)),

  putHostMaintenance: async ({ actor, params, body: { on, reason = '' } }) =>
    respondPlain(await app.hosts.setMaintenance(actor, { address: params.address, on, reason })),
});

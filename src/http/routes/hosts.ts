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
import { Secret } from '../../domain/secret.ts';
import type { HandlersFor } from '../request-context.ts';
import { parseAddressPage, toListResult } from '../responses/pagination.ts';
import { viewExtendedHostEntry, viewHost, viewHostStatus, viewStoredHost } from '../views/host.ts';
import { toEnrolmentRequest, toHostListQuery } from './request-mapping.ts';

type Routes = typeof hostRoutes;
type EnrolBody = BodyOf<Routes['enrolSelf']>;

async function enrol({ hosts }: App, actor: Actor, address: Address, body: EnrolBody) {
  const result = await hosts.enrol(actor, toEnrolmentRequest(address, body));
  if (result instanceof AppError) return result;
  return {
    body: viewHost(result.record),
    isNew: result.isNew,
    headers: { location: `/api/v0/host/${address}` },
  };
}

export const hostHandlers = (app: App): HandlersFor<Routes> => ({
  listHosts: async ({ query, url }) => {
    const page = parseAddressPage(query);
    if (page instanceof AppError) return page;
    const listQuery = { ...toHostListQuery(query), hostname: query.hostname, addressContains: query.q };
    if (query.extended) {
      const result = await app.hosts.listExtended(listQuery, page);
      if (result instanceof AppError) return result;
      return toListResult(url, result, ({ entryJson }) => addressOfEntry(entryJson), viewExtendedHostEntry);
    }
    const result = await app.hosts.list(listQuery, page);
    return result instanceof AppError ? result : toListResult(url, result, addressOfEntry, entryJson => entryJson);
  },

  getHost: async ({ params }) => {
    const host = await app.hosts.get(params.address);
    return host instanceof AppError ? host : { body: viewStoredHost(host) };
  },

  putHost: ({ actor, params, body }) => enrol(app, actor, params.address, body),

  enrolSelf: async ({ actor, body }) => {
    const address = app.resolveEnrolmentAddress(actor, body);
    return address instanceof AppError ? address : enrol(app, actor, address, body);
  },

  removeHost: async ({ actor, params }) => (await app.hosts.remove(actor, params.address)) ?? { body: [] },
});

export const hostAccessHandlers = ({ hosts }: App): HandlersFor<typeof hostAccessRoutes> => ({
  getHostAccess: async ({ params }) => {
    const access = await hosts.readAccess(params.address);
    if (access instanceof AppError) return access;
    const { remoteUser, sshPort, hostKeys } = access;
    return {
      body: { remote_user: remoteUser, ssh_port: sshPort, host_keys: hostKeys.map(stripKeyComment) },
    };
  },

  getHostCreds: async ({ actor, params }) => {
    const credentials = await hosts.readCredentials(actor, params.address);
    if (credentials instanceof AppError) return credentials;
    return { body: { ssh_priv_key: credentials.sshPrivKey.reveal(), remote_user: credentials.remoteUser } };
  },

  putHostCreds: async ({ actor, params, body }) => {
    const host = await hosts.replaceCredentials(actor, {
      address: params.address,
      sshPrivKey: new Secret(body.ssh_priv_key),
      remoteUser: body.remote_user,
      transport: body.transport,
    });
    return host instanceof AppError ? host : { body: viewHost(host) };
  },

  acceptHostKey: async ({ actor, params, body }) => {
    const { fingerprint } = body;
    const host = await hosts.acceptKey(actor, { address: params.address, fingerprint });
    return host instanceof AppError ? host : { body: viewHost(host) };
  },
});

export const hostManagementHandlers = ({ hosts }: App): HandlersFor<typeof hostManagementRoutes> => ({
  getHostStatus: async ({ params }) => {
    const report = await hosts.readStatus(params.address);
    return report instanceof AppError ? report : { body: viewHostStatus(report) };
  },

  getHostChecks: async ({ params }) => {
    const checks = await hosts.listChecks(params.address);
    return checks instanceof AppError ? checks : { body: [...checks] };
  },

  bootstrapHost: async ({ actor, params }) => {
    const host = await hosts.rebootstrap(actor, params.address);
    return host instanceof AppError ? host : { body: viewHost(host) };
  },

  getHostLabels: async ({ params }) => {
    const labels = await hosts.readLabels(params.address);
    return labels instanceof AppError ? labels : { body: labels };
  },

  putHostLabels: async ({ actor, params, body }) => {
    const labels = await hosts.replaceLabels(actor, { address: params.address, labels: body });
    return labels instanceof AppError ? labels : { body: labels };
  },

  getHostMaintenance: async ({ params }) => {
    const maintenance = await hosts.readMaintenance(params.address);
    return maintenance instanceof AppError ? maintenance : { body: maintenance };
  },

  putHostMaintenance: async ({ actor, params, body: { on, reason = '' } }) => {
    const maintenance = await hosts.setMaintenance(actor, { address: params.address, on, reason });
    return maintenance instanceof AppError ? maintenance : { body: maintenance };
  },
});

import type { App } from '../../app/index.ts';
import type { hostAccessRoutes } from '../../contract/routes/host-access.ts';
import { AppError } from '../../domain/errors.ts';
import { stripKeyComment } from '../../domain/hosts/host-key.ts';
import { Secret } from '../../domain/secret.ts';
import type { HandlersOf } from '../call.ts';
import { viewHost } from '../views/host.ts';

export const hostAccessHandlers = ({ hosts }: App): HandlersOf<typeof hostAccessRoutes> => ({
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

import Type from 'typebox';
import { matchingAddressFields, named, PrivateKey, RemoteUser, Transport, text } from '../fields.ts';
import { ADMINS, defineRoute, READERS, WRITERS } from '../route-definition.ts';
import { Host } from './hosts.ts';

const HostCreds = named(
  'HostCredentials',
  Type.Object({
    ssh_priv_key: text(
      'Private key in base64, as it was sent. Empty if Hostler connects with its own key, which it never returns.',
    ),
    remote_user: Type.String(),
  }),
);

const HostAccess = named(
  'HostAccess',
  Type.Object({
    remote_user: Type.String(),
    ssh_port: Type.Integer(),
    host_keys: Type.Array(Type.String(), {
      description:
        'Pinned public host keys, without comments: sent at the enrolment, presented at the first contact, or accepted later. Empty if none is known yet.',
    }),
  }),
);

const HostCredentialsInput = named(
  'HostCredentialsInput',
  Type.Object({
    ssh_priv_key: PrivateKey,
    remote_user: Type.Optional(RemoteUser('SSH user. Default: unchanged.')),
    transport: Type.Optional(
      Transport('How the server connects to the host. Default: unchanged. If empty, the setting `transport` applies.'),
    ),
    ...matchingAddressFields,
  }),
);

const HostKeyInput = named(
  'HostKeyInput',
  Type.Object({
    fingerprint: Type.String({
      pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
      rule: 'must be SHA256: followed by 43 base64 characters, as printed by ssh-keygen -l',
      description: 'Fingerprint of the key to accept, from `pending_host_key` in the status of the host.',
    }),
    ...matchingAddressFields,
  }),
);

const get = { tag: 'Hosts', method: 'GET', roles: READERS } as const;
const put = { tag: 'Hosts', method: 'PUT', roles: ADMINS } as const;

export const hostAccessRoutes = {
  getHostAccess: defineRoute({
    ...get,
    path: '/api/v0/host/{address}/access',
    summary: 'Get the SSH user, port and host keys of a host',
    description: 'The response contains no secrets.',
    response: HostAccess,
  }),
  getHostCreds: defineRoute({
    ...get,
    path: '/api/v0/host/{address}/creds',
    summary: 'Get the credentials of a host',
    description: 'The audit log records each read.',
    roles: ADMINS,
    requiresConfirmation: true,
    response: HostCreds,
  }),
  putHostCreds: defineRoute({
    ...put,
    path: '/api/v0/host/{address}/creds',
    summary: 'Replace the credentials of a host',
    description:
      'The server tests the credentials on the host and stores them only if they work. A `failed` host is investigated and bootstrapped again.',
    requiresConfirmation: true,
    bodySize: 'document',
    body: HostCredentialsInput,
    response: Host,
    errorStatuses: [404, 409],
  }),
  acceptHostKey: defineRoute({
    ...put,
    path: '/api/v0/host/{address}/accept-key',
    summary: 'Accept a changed host key',
    description:
      'From then on, only this key is pinned. The host can be a different machine, so it is investigated and bootstrapped again.',
    roles: WRITERS,
    body: HostKeyInput,
    response: Host,
    errorStatuses: [404, 409],
  }),
};

import Type from 'typebox';
import { PrivateKey, RemoteUser, repeatedAddress, Transport } from '../fields.ts';
import { ADMINS, READERS, route, WRITERS } from '../route.ts';
import { Host } from './hosts.ts';

const tag = 'Hosts';

export const HostCreds = Type.Object({
  ssh_priv_key: Type.String({
    description: "Base64, as it was sent; empty: the service's own key is used, which is never told.",
  }),
  remote_user: Type.String(),
});

export const HostAccess = Type.Object({
  remote_user: Type.String(),
  ssh_port: Type.Integer(),
  host_keys: Type.Array(Type.String(), {
    description:
      'The public keys that it may show, without comments: given at its enrolment, learnt at the first contact, or accepted. Empty: none is known yet.',
  }),
});

/** How the service gets into a host, and whom it takes the host for. */
export const hostAccessRoutes = {
  getHostAccess: route({
    method: 'GET',
    path: '/api/v0/host/{address}/access',
    tag,
    summary: 'How a host is reached, and by which keys it is known',
    description: 'Nothing of it is secret.',
    roles: READERS,
    statuses: [200],
    answer: HostAccess,
    refusals: [404],
  }),
  getHostCreds: route({
    method: 'GET',
    path: '/api/v0/host/{address}/creds',
    tag,
    summary: 'The credentials of a host',
    description: 'Every read is in the audit log.',
    roles: ADMINS,
    needsConfirmation: true,
    statuses: [200],
    answer: HostCreds,
    refusals: [404],
  }),
  putHostCreds: route({
    method: 'PUT',
    path: '/api/v0/host/{address}/creds',
    tag,
    summary: 'Replaces the credentials of a host',
    description:
      'They are tried on the host first, and stored only when they work. A host that is `failed` is investigated and bootstrapped again.',
    roles: ADMINS,
    needsConfirmation: true,
    bodySize: 'document',
    body: Type.Object({
      ssh_priv_key: PrivateKey,
      remote_user: Type.Optional(RemoteUser('Default: as it was.')),
      transport: Type.Optional(
        Transport(
          'By which transport it is reached from now on. Default: as it was. Empty: the one of the configuration.',
        ),
      ),
      ...repeatedAddress,
    }),
    statuses: [200],
    answer: Host,
    refusals: [404, 409],
  }),
  acceptHostKey: route({
    method: 'PUT',
    path: '/api/v0/host/{address}/accept-key',
    tag,
    summary: 'Accepts the key that a host shows instead of the one it was known by',
    description:
      'From then on the host may show this key and no other. It may be another machine now, so it is investigated and bootstrapped again.',
    roles: WRITERS,
    body: Type.Object({
      fingerprint: Type.String({
        pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
        rule: 'must be a fingerprint as ssh-keygen -l prints it: SHA256: and 43 characters of base64',
        description: 'Of the key that is accepted; `offered_key` in the status of the host has it.',
      }),
      ...repeatedAddress,
    }),
    statuses: [200],
    answer: Host,
    refusals: [404, 409],
  }),
};

import { expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import { Secret } from '../../domain/secret.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Transport } from './transport.ts';
import { dispatchTransport } from './transport-decorators.ts';

const named = (name: string): Transport => ({
  connect: async () => new TransportFailure('unreachable', `asked ${name}`),
});
const transport = dispatchTransport({ ssh: named('ssh'), openssh: named('openssh') }, 'ssh');
const target = {
  address: '127.0.0.1' as Address,
  port: 22,
  user: 'root',
  privateKey: new Secret(''),
  hostKeys: [],
};

test.each([
  [undefined, 'asked ssh'],
  ['', 'asked ssh'],
  ['ssh', 'asked ssh'],
  ['openssh', 'asked openssh'],
  ['pigeon', 'this server does not have the transport pigeon'],
  ['constructor', 'this server does not have the transport constructor'],
])('a host that asks for %j gets it, or is told', async (requested, detail) => {
  const limits = { timeoutMs: 1000, signal: new AbortController().signal };
  const wanted = requested === undefined ? target : { ...target, transport: requested };
  expect(await transport.connect(wanted, limits)).toMatchObject({ detail });
});

import { expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import { Secret } from '../../domain/secret.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { dispatchTransport } from './index.ts';
import type { Transport } from './transport.ts';

const fakeTransport = (name: string): Transport => ({
  connect: async () => new TransportFailure('unreachable', `used ${name}`),
});
const transport = dispatchTransport({ ssh: fakeTransport('ssh'), openssh: fakeTransport('openssh') }, 'ssh');
const target = {
  address: '127.0.0.1' as Address,
  port: 22,
  user: 'root',
  privateKey: new Secret(''),
  hostKeys: [],
};

test.each([
  [undefined, 'used ssh'],
  ['', 'used ssh'],
  ['ssh', 'used ssh'],
  ['openssh', 'used openssh'],
  ['telnet', 'this server does not have the transport telnet'],
  ['constructor', 'this server does not have the transport constructor'],
])('dispatchTransport uses the requested transport or fails: %j', async (requested, detail) => {
  const limits = { timeoutMs: 1000, signal: new AbortController().signal };
  const requestedTarget = requested === undefined ? target : { ...target, transport: requested };
  expect(await transport.connect(requestedTarget, limits)).toMatchObject({ detail });
});

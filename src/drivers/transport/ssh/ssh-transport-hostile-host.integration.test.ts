// A host can be hostile. All data it sends must become a result of the transport: no uncaught exception (the test
// runner fails on those), and no wait beyond the limits.

import net from 'node:net';
import fc from 'fast-check';
import type { Connection as ServerConnection } from 'ssh2';
import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { IS_LONG_RUN } from '../../../../test/harness/vitest/long-run.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { Secret } from '../../../domain/secret.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import type { Target } from '../transport.ts';
import { generateKeyPair } from './ssh-keys.ts';
import { createSshTransport } from './ssh-transport.ts';

const transport = createSshTransport();
const LIMITS = { timeoutMs: 150, signal: new AbortController().signal };
const LONG_LIMITS = { ...LIMITS, timeoutMs: 60_000 };
const serverKey = generateKeyPair('host').privateKey.reveal();
const privateKey = new Secret(Buffer.from(generateKeyPair('client').privateKey.reveal()).toString('base64'));

/** Number of random message sequences. */
const RUNS = IS_LONG_RUN ? 500 : 50;

const STAGES = ['handshake', 'authentication', 'ready', 'session', 'exec'] as const;
type Stage = (typeof STAGES)[number];

interface PacketWriter {
  readonly allocStart: number;
  alloc(length: number): Buffer;
  finalize(packet: Buffer): Buffer;
}

/** Sends an arbitrary encrypted protocol message. ssh2 has no public method for this. */
function sendMessage(client: ServerConnection, payload: Uint8Array): void {
  const protocol = Reflect.get(client, '_protocol');
  const cipher = Reflect.get(protocol, '_cipher');
  const writer: PacketWriter = Reflect.get(Reflect.get(protocol, '_packetRW'), 'write');
  const packet = writer.alloc(payload.length);
  packet.set(payload, writer.allocStart);
  Reflect.get(cipher, 'encrypt').call(cipher, writer.finalize(packet));
}

/** Runs a command and returns the kind of the result. */
async function runCommand(port: number, limits = LIMITS): Promise<string> {
  const target: Target = { address: '127.0.0.1' as Address, port, user: 'root', privateKey, hostKeys: [] };
  const connection = await transport.connect(target, limits);
  if (connection instanceof TransportFailure) return connection.kind;
  const result = await connection.run(['true'], limits);
  connection.close();
  return result instanceof TransportFailure ? result.kind : 'ran';
}

async function withServer<T>(server: net.Server | ssh2.Server, use: (port: number) => Promise<T>): Promise<T> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  try {
    return await use(bound !== null && typeof bound === 'object' ? bound.port : 0);
  } finally {
    server.close();
  }
}

/** A server that follows the protocol up to a stage and then sends `messages`. */
function hostileServer(stage: Stage, messages: readonly Uint8Array[]): ssh2.Server {
  return new ssh2.Server({ hostKeys: [serverKey] }, client => {
    const onStage = (current: Stage) => {
      if (current !== stage) return;
      for (const message of messages) sendMessage(client, message);
    };
    client.on('error', () => {});
    client.on('handshake', () => onStage('handshake'));
    client.on('authentication', context => {
      onStage('authentication');
      context.accept();
    });
    client.on('ready', () => onStage('ready'));
    client.on('session', accept => {
      const session = accept();
      onStage('session');
      session.on('exec', (acceptExec, _reject) => {
        const channel = acceptExec();
        channel.on('error', () => {});
        onStage('exec');
        channel.exit(0);
        channel.end();
      });
    });
  });
}

const RESULTS = ['ran', 'unreachable', 'timed_out', 'auth_rejected', 'no_shell', 'host_key_changed'];

/** Messages consist of a number and fields, which may contain invalid lengths. */
const field = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.nat(3).map(number => Uint8Array.of(0, 0, 0, number)),
  fc.constant(Uint8Array.of(0xff, 0xff, 0xff, 0xff)),
  fc
    .constantFrom('exit-status', 'exit-signal', 'session', 'forwarded-tcpip', 'auth-agent@openssh.com', 'TERM')
    .map(text => Buffer.concat([Buffer.from([0, 0, 0, text.length]), Buffer.from(text)])),
);
const message = fc
  .tuple(fc.integer({ min: 1, max: 127 }), fc.array(field, { maxLength: 5 }))
  .map(([number, fields]) => Buffer.concat([Uint8Array.of(number), ...fields]));

test('ssh transport returns a result for random messages at any protocol stage', {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...STAGES),
      fc.array(message, { minLength: 1, maxLength: 6 }),
      async (stage, messages) => {
        expect(RESULTS).toContain(await withServer(hostileServer(stage, messages), runCommand));
      },
    ),
    { numRuns: RUNS },
  );
});

test('ssh transport returns a failure for random data instead of a banner', async () => {
  const greeting = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), bytes])),
    fc.constant(Buffer.alloc(200_000, 'a')),
    fc.constant(Buffer.from('line\r\n'.repeat(5000))),
  );
  await fc.assert(
    fc.asyncProperty(greeting, fc.boolean(), async (bytes, closesAfter) => {
      const server = net.createServer(socket => {
        socket.on('error', () => {});
        socket.write(bytes);
        if (closesAfter) socket.end();
      });
      expect(RESULTS.slice(1)).toContain(await withServer(server, runCommand));
    }),
    { numRuns: 60 },
  );
});

test('ssh transport offers only public key authentication', async () => {
  const methods: string[] = [];
  const server = new ssh2.Server({ hostKeys: [serverKey] }, client => {
    client.on('error', () => {});
    client.on('authentication', context => {
      methods.push(context.method);
      context.reject(['password', 'keyboard-interactive', 'none', 'hostbased']);
    });
  });
  expect(await withServer(server, port => runCommand(port, LONG_LIMITS))).toBe('auth_rejected');
  expect(new Set(methods)).toEqual(new Set(['publickey']));
});

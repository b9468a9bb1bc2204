// A host may be anybody's. Whatever it sends, at whatever moment, becomes an answer of the transport: nothing is thrown past it (the
// test runner fails on that), and nothing hangs beyond the limits.

import net from 'node:net';
import fc from 'fast-check';
import type { Connection as ServerConnection } from 'ssh2';
import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
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
const privateKey = new Secret(Buffer.from(generateKeyPair('us').privateKey.reveal()).toString('base64'));

/** How often another way to go mad is tried. */
const RUNS = process.env['HOSTLER_TEST_ALL'] ? 1500 : 50;

const STAGES = ['handshake', 'authentication', 'ready', 'session', 'exec'] as const;
type Stage = (typeof STAGES)[number];

interface PacketWriter {
  readonly allocStart: number;
  alloc(length: number): Buffer;
  finalize(packet: Buffer): Buffer;
}

/** Sends bytes as a message of the protocol, encrypted as all others: the library has no call for such a thing. */
function sendMessage(client: ServerConnection, payload: Uint8Array): void {
  const protocol = Reflect.get(client, '_protocol');
  const cipher = Reflect.get(protocol, '_cipher');
  const writer: PacketWriter = Reflect.get(Reflect.get(protocol, '_packetRW'), 'write');
  const packet = writer.alloc(payload.length);
  packet.set(payload, writer.allocStart);
  Reflect.get(cipher, 'encrypt').call(cipher, writer.finalize(packet));
}

/** Asks a host for something, and answers what came of it. */
async function ask(port: number, limits = LIMITS): Promise<string> {
  const target: Target = { address: '127.0.0.1' as Address, port, user: 'root', privateKey, hostKeys: [] };
  const connection = await transport.connect(target, limits);
  if (connection instanceof TransportFailure) return connection.kind;
  const result = await connection.run(['true'], limits);
  connection.close();
  return result instanceof TransportFailure ? result.kind : 'ran';
}

async function listening<T>(server: net.Server | ssh2.Server, use: (port: number) => Promise<T>): Promise<T> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  try {
    return await use(bound !== null && typeof bound === 'object' ? bound.port : 0);
  } finally {
    server.close();
  }
}

/** A server that plays along up to a stage, and sends what it likes from then on. */
function hostileServer(stage: Stage, messages: readonly Uint8Array[]): ssh2.Server {
  return new ssh2.Server({ hostKeys: [serverKey] }, client => {
    const reached = (now: Stage) => {
      if (now !== stage) return;
      for (const message of messages) sendMessage(client, message);
    };
    client.on('error', () => {});
    client.on('handshake', () => reached('handshake'));
    client.on('authentication', context => {
      reached('authentication');
      context.accept();
    });
    client.on('ready', () => reached('ready'));
    client.on('session', accept => {
      const session = accept();
      reached('session');
      session.on('exec', (acceptExec, _reject) => {
        const channel = acceptExec();
        channel.on('error', () => {});
        reached('exec');
        channel.exit(0);
        channel.end();
      });
    });
  });
}

const ANSWERS = ['ran', 'unreachable', 'timed_out', 'auth_rejected', 'no_shell', 'host_key_changed'];

/** What messages are made of: their number first, then fields that may lie about their length. */
const field = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.nat(3).map(number => Uint8Array.of(0, 0, 0, number)),
  fc.constant(Uint8Array.of(0xff, 0xff, 0xff, 0xff)),
  fc
    .constantFrom(
      'exit-status',
      'exit-signal',
      'session',
      'forwarded-tcpip',
      'auth-agent@openssh.com',
      'TERM',
    )
    .map(text => Buffer.concat([Buffer.from([0, 0, 0, text.length]), Buffer.from(text)])),
);
const message = fc
  .tuple(fc.integer({ min: 1, max: 127 }), fc.array(field, { maxLength: 5 }))
  .map(([number, fields]) => Buffer.concat([Uint8Array.of(number), ...fields]));

test('a host that goes mad in the middle of the protocol gets an answer made of it, and no more', {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...STAGES),
      fc.array(message, { minLength: 1, maxLength: 6 }),
      async (stage, messages) => {
        expect(ANSWERS).toContain(await listening(hostileServer(stage, messages), ask));
      },
    ),
    { numRuns: RUNS },
  );
});

test('a host that says anything instead of a greeting gets an answer made of it', async () => {
  const greeting = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), bytes])),
    fc.constant(Buffer.alloc(200_000, 'a')),
    fc.constant(Buffer.from('line\r\n'.repeat(5000))),
  );
  await fc.assert(
    fc.asyncProperty(greeting, fc.boolean(), async (bytes, endsThen) => {
      const server = net.createServer(socket => {
        socket.on('error', () => {});
        socket.write(bytes);
        if (endsThen) socket.end();
      });
      expect(ANSWERS.slice(1)).toContain(await listening(server, ask));
    }),
    { numRuns: 60 },
  );
});

test('a host is offered the key and nothing else, whatever it asks for', async () => {
  const methods: string[] = [];
  const server = new ssh2.Server({ hostKeys: [serverKey] }, client => {
    client.on('error', () => {});
    client.on('authentication', context => {
      methods.push(context.method);
      context.reject(['password', 'keyboard-interactive', 'none', 'hostbased']);
    });
  });
  expect(await listening(server, port => ask(port, LONG_LIMITS))).toBe('auth_rejected');
  expect(new Set(methods)).toEqual(new Set(['publickey']));
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transportConforms } from '../../../../test/conformance/transport.ts';
import { CLIENT_KEYS, makeClientKeys } from '../../../../test/harness/ssh/client-keys.ts';
import type { Sshd, SshdOptions } from '../../../../test/harness/ssh/sshd.ts';
import { describeWithSshd, startSshd } from '../../../../test/harness/ssh/sshd.ts';
import { startConformanceHost } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import type { Target } from '../transport.ts';
import { MAX_RECEIVED_BYTES } from '../transport.ts';
import { createSshTransport } from './ssh-transport.ts';

const transport = createSshTransport();
const limits = { timeoutMs: 20_000, signal: new AbortController().signal };
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH';

/** Runs a command and returns its output or the failure. */
async function runCommand(target: Target): Promise<string | TransportFailure> {
  const connection = await transport.connect(target, limits);
  if (connection instanceof TransportFailure) return connection;
  const result = await connection.run(['printf', 'in'], limits);
  connection.close();
  return result instanceof TransportFailure ? result : Buffer.from(result.stdout).toString();
}

/** Sockets to this port that a process still holds. Sockets without an inode remain only in the kernel. */
function socketsTo(port: number): number {
  const lines = readFileSync('/proc/self/net/tcp', 'utf8').trim().split('\n').slice(1);
  const portHex = port.toString(16).toUpperCase().padStart(4, '0');
  const fields = lines.map(line => line.trim().split(/\s+/));
  return fields.filter(([, , remote = '', , , , , , , inode]) => remote.endsWith(`:${portHex}`) && inode !== '0')
    .length;
}

async function withSshd(options: SshdOptions, use: (sshd: Sshd) => Promise<void>): Promise<void> {
  const sshd = await startSshd(options);
  try {
    await use(sshd);
  } finally {
    await sshd.stop();
  }
}

describeWithSshd('ssh transport', () => {
  transportConforms('ssh', () => startConformanceHost(transport));

  describe('key formats', () => {
    let sshd: Sshd;
    let keys: ReturnType<typeof makeClientKeys>;
    beforeAll(async () => {
      sshd = await startSshd();
      keys = makeClientKeys();
      for (const { publicKey } of keys.values()) sshd.authorize(publicKey);
    });
    afterAll(() => sshd.stop());

    test.each(CLIENT_KEYS)('logs in with %s', async name => {
      const key = keys.get(name);
      if (key === undefined) throw new Error(`there is no key ${name}`);
      expect(await runCommand({ ...sshd.target, privateKey: key.privateKey })).toBe('in');
    });
  });

  test.each<[string, SshdOptions]>([
    [
      'only the latest algorithms',
      {
        config: [
          'KexAlgorithms curve25519-sha256',
          'Ciphers chacha20-poly1305@openssh.com',
          'MACs hmac-sha2-512-etm@openssh.com',
          'HostKeyAlgorithms ssh-ed25519',
          'PubkeyAcceptedAlgorithms ssh-ed25519',
        ],
      },
    ],
    ['only AES-256-GCM', { config: ['Ciphers aes256-gcm@openssh.com'] }],
    [
      'only old safe algorithms',
      { config: ['KexAlgorithms diffie-hellman-group14-sha256', 'Ciphers aes128-ctr', 'MACs hmac-sha2-256'] },
    ],
    ['an RSA host key', { hostKeyType: 'rsa' }],
    ['an ECDSA host key', { hostKeyType: 'ecdsa' }],
    ['escape sequences in its banner', { banner: '\u001b[2J\u001b[31mWelcome\u0007\n'.repeat(200) }],
    ['an IPv6 address', { address: '::1' }],
  ])('connects to a host with %s and verifies its key', async (_label, options) => {
    await withSshd(options, async ({ target, hostKey }) => {
      expect(await runCommand(target)).toBe('in');
      expect(await runCommand({ ...target, hostKeys: [hostKey] })).toBe('in');
      expect(await runCommand({ ...target, hostKeys: [OTHER_KEY] })).toMatchObject({
        kind: 'host_key_changed',
        presentedKey: hostKey,
      });
    });
  });

  test.each<[string, string[], RegExp]>([
    ['a SHA-1 key exchange', ['KexAlgorithms diffie-hellman-group14-sha1'], /no key exchange algorithm/],
    [
      'a post-quantum key exchange',
      ['KexAlgorithms sntrup761x25519-sha512@openssh.com'],
      /key exchange .* the transport openssh may support one/,
    ],
    ['an insecure cipher', ['Ciphers 3des-cbc'], /no cipher/],
  ])('names the missing algorithm for a host that supports only %s', async (_label, config, detail) => {
    await withSshd({ config }, async ({ target }) => {
      expect(await runCommand(target)).toMatchObject({
        kind: 'unreachable',
        detail: expect.stringMatching(detail),
      });
    });
  });

  test('closes the connection after too much output', async () => {
    await withSshd({}, async ({ target }) => {
      const connection = await transport.connect(target, limits);
      if (connection instanceof TransportFailure) throw new Error(String(connection));
      expect(await connection.run(['cat', '/dev/zero'], limits)).toMatchObject({
        kind: 'timed_out',
        detail: `the output exceeded the limit of ${MAX_RECEIVED_BYTES / 1024 ** 2} MiB; the connection was closed`,
      });
    });
  });

  test('does not wait for background processes of a command', async () => {
    await withSshd({}, async ({ target }) => {
      const connection = await transport.connect(target, limits);
      if (connection instanceof TransportFailure) throw new Error(String(connection));
      const result = await connection.run(['sh', '-c', 'sleep 30 & echo output'], limits);
      expect(result).toMatchObject({ exitCode: 0, stdout: Buffer.from('output\n') });
      connection.close();
    });
  });

  describe('mayProceed check', () => {
    /** Returns true for the first `count` calls. */
    const allowCalls = (count: number) => {
      let calls = 0;
      return () => ++calls <= count;
    };

    test('prevents the login', async () => {
      await withSshd({}, async ({ target, logins }) => {
        for (const count of [1, 2]) {
          const failure = await transport.connect(target, { ...limits, mayProceed: allowCalls(count) });
          expect(failure).toMatchObject({ kind: 'unreachable', detail: 'aborted' });
        }
        expect(logins()).toBe(0);
      });
    });

    test('prevents a command after the host has opened the session', async () => {
      await withSshd({}, async ({ target }) => {
        const file = `/tmp/hostler-late-${process.pid}-${target.port}`;
        const connection = await transport.connect(target, limits);
        if (connection instanceof TransportFailure) throw new Error(String(connection));
        const failure = await connection.run(['touch', file], { ...limits, mayProceed: allowCalls(1) });
        expect(failure).toMatchObject({ kind: 'unreachable', detail: 'aborted' });
        const otherConnection = await transport.connect(target, limits);
        if (otherConnection instanceof TransportFailure) throw new Error(String(otherConnection));
        expect(await otherConnection.run(['test', '-e', file], limits)).toMatchObject({ exitCode: 1 });
        otherConnection.close();
      });
    });
  });

  test('destroys the socket if the host does not close its side', async () => {
    await withSshd({}, async ({ target, freeze }) => {
      const connection = await transport.connect(target, limits);
      if (connection instanceof TransportFailure) throw new Error(String(connection));
      expect(socketsTo(target.port)).toBe(1);
      freeze();
      connection.close();
      await waitUntil('socket closed', () => socketsTo(target.port) === 0);
    });
  });
});

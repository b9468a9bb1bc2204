import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENT_KEYS, makeClientKeys } from '../../../../test/harness/ssh/client-keys.ts';
import type { Sshd, SshdOptions } from '../../../../test/harness/ssh/sshd.ts';
import { describeWithSshd, startSshd } from '../../../../test/harness/ssh/sshd.ts';
import { openSshdLab } from '../../../../test/harness/ssh/sshd-lab.ts';
import { until } from '../../../../test/harness/until.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { transportConforms } from '../conformance.ts';
import type { Target } from '../transport.ts';
import { MAX_RECEIVED_BYTES } from '../transport.ts';
import { createSshTransport } from './ssh-transport.ts';

const transport = createSshTransport();
const limits = { timeoutMs: 20_000, signal: new AbortController().signal };
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH';

/** What a command says, or why it could not be asked. */
async function ask(target: Target): Promise<string | TransportFailure> {
  const connection = await transport.connect(target, limits);
  if (connection instanceof TransportFailure) return connection;
  const result = await connection.run(['printf', 'in'], limits);
  connection.close();
  return result instanceof TransportFailure ? result : Buffer.from(result.stdout).toString();
}

/** Sockets to this port that a process still has: those that only the kernel has left have no inode. */
function socketsTo(port: number): number {
  const lines = readFileSync('/proc/self/net/tcp', 'utf8').trim().split('\n').slice(1);
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const fields = lines.map(line => line.trim().split(/\s+/));
  return fields.filter(
    ([, , remote = '', , , , , , , inode]) => remote.endsWith(`:${wanted}`) && inode !== '0',
  ).length;
}

async function withSshd(options: SshdOptions, use: (sshd: Sshd) => Promise<void>): Promise<void> {
  const sshd = await startSshd(options);
  try {
    await use(sshd);
  } finally {
    await sshd.stop();
  }
}

describeWithSshd('the transport ssh, with a real sshd,', () => {
  transportConforms('ssh', () => openSshdLab(transport));

  describe('logs in with a key of each kind and form:', () => {
    let sshd: Sshd;
    let keys: ReturnType<typeof makeClientKeys>;
    beforeAll(async () => {
      sshd = await startSshd();
      keys = makeClientKeys();
      for (const { publicKey } of keys.values()) sshd.authorize(publicKey);
    });
    afterAll(() => sshd.stop());

    test.each(CLIENT_KEYS)('%s', async name => {
      const key = keys.get(name);
      if (key === undefined) throw new Error(`there is no key ${name}`);
      expect(await ask({ ...sshd.target, privateKey: key.privateKey })).toBe('in');
    });
  });

  test.each<[string, SshdOptions]>([
    [
      'the most modern algorithms only',
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
    ['GCM of 256 bits only', { config: ['Ciphers aes256-gcm@openssh.com'] }],
    [
      'what old ones have, in its safe part',
      { config: ['KexAlgorithms diffie-hellman-group14-sha256', 'Ciphers aes128-ctr', 'MACs hmac-sha2-256'] },
    ],
    ['an RSA host key', { hostKeyType: 'rsa' }],
    ['an ECDSA host key', { hostKeyType: 'ecdsa' }],
    ['a banner of escape sequences', { banner: '\u001b[2J\u001b[31mWelcome\u0007\n'.repeat(200) }],
    ['an IPv6 address', { address: '::1' }],
  ])('gets into a host with %s, and is bound to its key from then on', async (_what, options) => {
    await withSshd(options, async ({ target, hostKey }) => {
      expect(await ask(target)).toBe('in');
      expect(await ask({ ...target, hostKeys: [hostKey] })).toBe('in');
      expect(await ask({ ...target, hostKeys: [OTHER_KEY] })).toMatchObject({
        kind: 'host_key_changed',
        presentedKey: hostKey,
      });
    });
  });

  test.each<[string, string[], RegExp]>([
    ['a key exchange of SHA-1', ['KexAlgorithms diffie-hellman-group14-sha1'], /no key exchange algorithm/],
    [
      'a post-quantum key exchange',
      ['KexAlgorithms sntrup761x25519-sha512@openssh.com'],
      /key exchange .* the transport openssh may support one/,
    ],
    ['a cipher that is broken', ['Ciphers 3des-cbc'], /no cipher/],
  ])('says what is missing in common with a host that has only %s', async (_what, config, detail) => {
    await withSshd({ config }, async ({ target }) => {
      expect(await ask(target)).toMatchObject({
        kind: 'unreachable',
        detail: expect.stringMatching(detail),
      });
    });
  });

  test('cuts off a host that does not stop talking, and says so', async () => {
    await withSshd({}, async ({ target }) => {
      const connection = await transport.connect(target, limits);
      if (connection instanceof TransportFailure) throw new Error(String(connection));
      expect(await connection.run(['cat', '/dev/zero'], limits)).toMatchObject({
        kind: 'timed_out',
        detail: `the output exceeded the limit of ${MAX_RECEIVED_BYTES / 1024 ** 2} MiB; the connection was closed`,
      });
    });
  });

  test('does not wait for what a command has left behind', async () => {
    await withSshd({}, async ({ target }) => {
      const connection = await transport.connect(target, limits);
      if (connection instanceof TransportFailure) throw new Error(String(connection));
      const result = await connection.run(['sh', '-c', 'sleep 30 & echo said'], limits);
      expect(result).toMatchObject({ exitCode: 0, stdout: Buffer.from('said\n') });
      connection.close();
    });
  });

  describe('asks whether it may proceed', () => {
    /** Yes so many times, and then no more. */
    const times = (count: number) => {
      let calls = 0;
      return () => ++calls <= count;
    };

    test('right before it logs in', async () => {
      await withSshd({}, async ({ target, logins }) => {
        for (const count of [1, 2]) {
          const answer = await transport.connect(target, { ...limits, mayProceed: times(count) });
          expect(answer).toMatchObject({ kind: 'unreachable', detail: 'aborted' });
        }
        expect(logins()).toBe(0);
      });
    });

    test('right before a command is sent, when the host is ready for it', async () => {
      await withSshd({}, async ({ target }) => {
        const file = `/tmp/hostler-late-${process.pid}-${target.port}`;
        const connection = await transport.connect(target, limits);
        if (connection instanceof TransportFailure) throw new Error(String(connection));
        const late = await connection.run(['touch', file], { ...limits, mayProceed: times(1) });
        expect(late).toMatchObject({ kind: 'unreachable', detail: 'aborted' });
        const another = await transport.connect(target, limits);
        if (another instanceof TransportFailure) throw new Error(String(another));
        expect(await another.run(['test', '-e', file], limits)).toMatchObject({ exitCode: 1 });
        another.close();
      });
    });
  });

  test('keeps no socket of a host that does not end its side', async () => {
    await withSshd({}, async ({ target, freeze }) => {
      const connection = await transport.connect(target, limits);
      if (connection instanceof TransportFailure) throw new Error(String(connection));
      expect(socketsTo(target.port)).toBe(1);
      freeze();
      connection.close();
      await until('the socket is gone', () => socketsTo(target.port) === 0);
    });
  });
});

// What must hold for every transport. Commands are such that any Linux host knows; what they are run on is the driver's to bring.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Argv, CommandResult } from '../../domain/command.ts';
import { isHostKey } from '../../domain/hosts/host-key.ts';
import { Secret } from '../../domain/secret.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { CallLimits, Connection, Target, Transport } from './transport.ts';
import { MAX_OUTPUT_BYTES } from './transport.ts';

/** The host has keys exchanged anew after so much. */
export const REKEY_AFTER_BYTES = 1_048_576;

/** A host, and what is around it. */
export interface ConformanceHost {
  readonly transport: Transport;
  /** Lets in, whatever key the host shows. */
  readonly target: Target;
  /** The key that the host shows. */
  readonly hostKey: string;
  /** A private key that does not let in. */
  readonly unauthorizedKey: Secret;
  /** Where nobody listens. */
  readonly closedPort: Target;
  /** Where somebody takes a connection and never says a word. */
  readonly unresponsive: Target;
  /** How many times anybody was let in so far. */
  logins(): number | Promise<number>;
  /** Cuts every connection from the host's side. */
  cut(): void | Promise<void>;
  close?(): void | Promise<void>;
}

/** Longer than a test may take: whatever waits for it fails. */
const LONG: CallLimits = { timeoutMs: 600_000, signal: new AbortController().signal };
const SHORT: CallLimits = { ...LONG, timeoutMs: 200 };
const FOREVER: Argv = ['sleep', '600'];
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH';

const SPACED = ['', ' ', 'two words', '  around  ', 'line\nbreak', 'end\n', '\ttab', '\u0001', '\u007f'];
const QUOTING = 'it\'s \' " "quoted" \\ back\\slash $HOME $x $(id) `id` * ? ~ ! # ; & && | > < ( {a,b} [a] %';
const WORDS = '-n -- - a=b ünïcødé 馬 🐎';
const ODD_ARGUMENTS = [...SPACED, ...QUOTING.split(' '), ...WORDS.split(' '), 'x'.repeat(5000)];

function assertSuccess<Result>(result: Result | TransportFailure): Result {
  if (result instanceof TransportFailure) throw new Error(String(result));
  return result;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const output = (result: CommandResult | TransportFailure) => text(assertSuccess(result).stdout);
const failure = (kind: string) => expect.objectContaining({ kind, detail: expect.stringMatching(/./) });

export function transportConforms(
  type: string,
  open: () => ConformanceHost | Promise<ConformanceHost>,
): void {
  describe(`the transport ${type}`, () => {
    let host: ConformanceHost;
    const connections: Connection[] = [];
    const tryConnect = (target: Target, limits = LONG) => host.transport.connect(target, limits);
    const connect = async () => {
      const connection = assertSuccess(await tryConnect(host.target));
      connections.push(connection);
      return connection;
    };
    const run = async (argv: Argv, asRoot = false) =>
      assertSuccess(await (await connect()).run(argv, { ...LONG, asRoot }));

    beforeAll(async () => {
      host = await open();
    });
    afterAll(async () => {
      for (const connection of connections) connection.close();
      await host.close?.();
    });

    test('answers how a command ended and what it said', async () => {
      const result = await run(['sh', '-c', 'printf out; printf err >&2; exit 7']);
      expect([result.exitCode, text(result.stdout), text(result.stderr)]).toEqual([7, 'out', 'err']);
    });

    test('answers what was said as bytes', async () => {
      expect([...(await run(['printf', '\\377\\000\\200'])).stdout]).toEqual([0xff, 0, 0x80]);
    });

    test.each([false, true])('brings arguments as they were given, as root: %s', async asRoot => {
      const result = await run(['printf', '%s\\000', ...ODD_ARGUMENTS], asRoot);
      expect(text(result.stdout).split('\0').slice(0, -1)).toEqual(ODD_ARGUMENTS);
    });

    test('runs as root what is asked for as root', async () => {
      expect(text((await run(['id', '-u'], true)).stdout)).toBe('0\n');
      expect((await run(['sh', '-c', 'printf out; printf err >&2; exit 7'], true)).exitCode).toBe(7);
    });

    test('says 127 of a program that is not there, and of what a signal ended its number', async () => {
      expect((await run(['no-such-program-anywhere'])).exitCode).toBe(127);
      expect((await run(['sh', '-c', 'kill -9 $$'])).exitCode).toBe(137);
    });

    test('gives a command that reads its input none', async () => {
      expect(await run(['cat'])).toMatchObject({ exitCode: 0, stdout: { length: 0 } });
    });

    test.each([
      ['one line', 'a secret\n'],
      ['nothing but an end', '\n'],
      ['what a shell would read', `${QUOTING}\nEOF\n\n  $(id)\n\\\n`],
      ['more than a pipe holds', 'x'.repeat(99).concat('\n').repeat(2000)],
    ])('gives a command what it shall read: %s', async (_what, text) => {
      const connection = await connect();
      for (const asRoot of [false, true])
        expect(output(await connection.run(['cat'], { ...LONG, asRoot, input: new Secret(text) }))).toBe(
          text,
        );
    });

    test('keeps the beginning of a large output, and lets the command end', async () => {
      const result = await run(['head', '-c', String(MAX_OUTPUT_BYTES * 8), '/dev/zero']);
      expect([result.exitCode, result.stdout.length]).toEqual([0, MAX_OUTPUT_BYTES]);
    });

    test('runs several commands on one connection, one after the other and at once', async () => {
      const connection = await connect();
      const echo = async (word: string) => output(await connection.run(['printf', '%s', word], LONG));
      expect([await echo('one'), await echo('two')]).toEqual(['one', 'two']);
      expect(await Promise.all(['a', 'b', 'c', 'd'].map(echo))).toEqual(['a', 'b', 'c', 'd']);
    });

    test('goes on when the host has keys exchanged anew in the middle', async () => {
      const connection = await connect();
      const size = String(REKEY_AFTER_BYTES * 2);
      expect(await connection.run(['head', '-c', size, '/dev/zero'], LONG)).toMatchObject({ exitCode: 0 });
      expect(output(await connection.run(['printf', 'in'], LONG))).toBe('in');
    });

    test('reports the key that the host shows', async () => {
      const { hostKey } = await connect();
      expect(hostKey).toBe(host.hostKey);
      expect(isHostKey(hostKey)).toBe(true);
    });

    test('lets itself in where the host shows a key that was given, with a comment or not', async () => {
      for (const hostKeys of [[host.hostKey], [OTHER_KEY, `${host.hostKey} root@host`]]) {
        const connection = assertSuccess(await tryConnect({ ...host.target, hostKeys }));
        expect(output(await connection.run(['printf', 'in'], LONG))).toBe('in');
        connection.close();
      }
    });

    test('does not let itself in where the host shows another key, and reports that key', async () => {
      const before = await host.logins();
      const refused = await tryConnect({ ...host.target, hostKeys: [OTHER_KEY] });
      expect(refused).toMatchObject({ kind: 'host_key_changed', presentedKey: host.hostKey });
      expect(await host.logins()).toBe(before);
    });

    test('reports a private key that does not let in, without showing it', async () => {
      const refused = await tryConnect({ ...host.target, privateKey: host.unauthorizedKey });
      expect(refused).toEqual(failure('auth_rejected'));
      expect(JSON.stringify(refused)).not.toContain(host.unauthorizedKey.reveal());
    });

    test('cannot reach where nobody listens', async () => {
      expect(await tryConnect(host.closedPort)).toEqual(failure('unreachable'));
    });

    test('gives up at the limit of time, on connecting and on a command', async () => {
      expect(await tryConnect(host.unresponsive, SHORT)).toEqual(failure('timed_out'));
      expect(await (await connect()).run(FOREVER, SHORT)).toEqual(failure('timed_out'));
    });

    test('gives up at once when it is called off, on connecting and on a command', async () => {
      const connection = await connect();
      for (const begin of [
        (limits: CallLimits) => tryConnect(host.unresponsive, limits),
        (limits: CallLimits) => connection.run(FOREVER, limits),
      ]) {
        const controller = new AbortController();
        const result = begin({ ...LONG, signal: controller.signal });
        controller.abort();
        expect(await result).toEqual(failure('unreachable'));
      }
    });

    test.each([
      ['was called off before', { ...LONG, signal: AbortSignal.abort() }],
      ['may not proceed any more', { ...LONG, mayProceed: () => false }],
    ])('does not begin what %s', async (_what, limits) => {
      const before = await host.logins();
      expect(await tryConnect(host.target, limits)).toEqual(failure('unreachable'));
      expect(await host.logins()).toBe(before);
      expect(await (await connect()).run(FOREVER, limits)).toEqual(failure('unreachable'));
    });

    test('answers what was under way when the connection is cut, and nothing after it', async () => {
      const connection = await connect();
      const result = connection.run(FOREVER, LONG);
      await host.cut();
      expect(await result).toEqual(failure('unreachable'));
      expect(await connection.run(['printf', 'in'], LONG)).toEqual(failure('unreachable'));
    });

    test('closes a connection on which a command failed to answer', async () => {
      const connection = await connect();
      const other = connection.run(FOREVER, LONG);
      expect(await connection.run(FOREVER, SHORT)).toEqual(failure('timed_out'));
      expect(await other).toEqual(failure('unreachable'));
      expect(await connection.run(['printf', 'in'], LONG)).toEqual(failure('unreachable'));
    });

    test('ends what runs when it is closed, which may be repeated', async () => {
      const connection = await connect();
      const result = connection.run(FOREVER, LONG);
      connection.close();
      connection.close();
      expect(await result).toEqual(failure('unreachable'));
      expect(await connection.run(['printf', 'in'], LONG)).toEqual(failure('unreachable'));
    });
  });
}

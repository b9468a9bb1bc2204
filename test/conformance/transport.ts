// Conformance suite for transports. It uses only commands that every Linux host has.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Argv, CommandResult } from '../../src/domain/command.ts';
import { isHostKey } from '../../src/domain/hosts/host-key.ts';
import { Secret } from '../../src/domain/secret.ts';
import { TransportFailure } from '../../src/domain/transport-failure.ts';
import type { CallLimits, Connection, Target, Transport } from '../../src/drivers/transport/transport.ts';
import { MAX_OUTPUT_BYTES } from '../../src/drivers/transport/transport.ts';

export const REKEY_AFTER_BYTES = 1_048_576;

export interface ConformanceHost {
  readonly transport: Transport;
  readonly target: Target;
  readonly hostKey: string;
  readonly unauthorizedKey: Secret;
  readonly closedPort: Target;
  /** A port that accepts connections and sends nothing. */
  readonly unresponsive: Target;
  /** Number of successful logins so far. */
  logins(): number | Promise<number>;
  /** Drops all connections on the side of the host. */
  cut(): void | Promise<void>;
  close?(): void | Promise<void>;
}

const LONG: CallLimits = { timeoutMs: 600_000, signal: new AbortController().signal };
const SHORT: CallLimits = { ...LONG, timeoutMs: 200 };
const SLEEP_FOREVER: Argv = ['sleep', '600'];
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH';

const SPACED = ['', ' ', 'two words', '  around  ', 'line\nbreak', 'end\n', '\ttab', '\u0001', '\u007f'];
const QUOTING = 'it\'s \' " "quoted" \\ back\\slash $HOME $x $(id) `id` * ? ~ ! # ; & && | > < ( {a,b} [a] %';
const WORDS = '-n -- - a=b ünïcødé 馬 🐎';
const UNUSUAL_ARGUMENTS = [...SPACED, ...QUOTING.split(' '), ...WORDS.split(' '), 'x'.repeat(5000)];

function assertSuccess<Result>(result: Result | TransportFailure): Result {
  if (result instanceof TransportFailure) throw new Error(String(result));
  return result;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const output = (result: CommandResult | TransportFailure) => text(assertSuccess(result).stdout);
const failure = (kind: string) => expect.objectContaining({ kind, detail: expect.stringMatching(/./) });

interface TransportSuite {
  readonly host: () => ConformanceHost;
  readonly tryConnect: (target: Target, limits?: CallLimits) => Promise<Connection | TransportFailure>;
  /** Connects to the host of the suite. */
  readonly connect: () => Promise<Connection>;
  /** Runs a command on a new connection. */
  readonly run: (argv: Argv, asRoot?: boolean) => Promise<CommandResult>;
}

function describeTransport(
  type: string,
  open: () => ConformanceHost | Promise<ConformanceHost>,
  tests: (suite: TransportSuite) => void,
): void {
  describe(`transport ${type}`, () => {
    let host: ConformanceHost;
    const connections: Connection[] = [];
    const tryConnect = async (target: Target, limits = LONG) => host.transport.connect(target, limits);
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

    tests({ host: () => host, tryConnect, connect, run });
  });
}

function testCommands({ connect, run }: TransportSuite): void {
  test('returns the exit code and the output of a command', async () => {
    const result = await run(['sh', '-c', 'printf out; printf err >&2; exit 7']);
    expect([result.exitCode, text(result.stdout), text(result.stderr)]).toEqual([7, 'out', 'err']);
  });

  test('returns output as bytes', async () => {
    expect([...(await run(['printf', '\\377\\000\\200'])).stdout]).toEqual([0xff, 0, 0x80]);
  });

  test.each([false, true])('passes arguments unchanged with asRoot %s', async asRoot => {
    const result = await run(['printf', '%s\\000', ...UNUSUAL_ARGUMENTS], asRoot);
    expect(text(result.stdout).split('\0').slice(0, -1)).toEqual(UNUSUAL_ARGUMENTS);
  });

  test('runs a command as root if requested', async () => {
    expect(text((await run(['id', '-u'], true)).stdout)).toBe('0\n');
    expect((await run(['sh', '-c', 'printf out; printf err >&2; exit 7'], true)).exitCode).toBe(7);
  });

  test('returns 127 for a missing program and 128 plus the number for a signal', async () => {
    expect((await run(['no-such-program-anywhere'])).exitCode).toBe(127);
    expect((await run(['sh', '-c', 'kill -9 $$'])).exitCode).toBe(137);
  });

  test('gives a command empty standard input by default', async () => {
    expect(await run(['cat'])).toMatchObject({ exitCode: 0, stdout: { length: 0 } });
  });

  test.each([
    ['a single line', 'a secret\n'],
    ['an empty line', '\n'],
    ['shell syntax', `${QUOTING}\nEOF\n\n  $(id)\n\\\n`],
    ['more than the pipe buffer', 'x'.repeat(99).concat('\n').repeat(2000)],
  ])('passes input to the command: %s', async (_case, text) => {
    const connection = await connect();
    for (const asRoot of [false, true])
      expect(output(await connection.run(['cat'], { ...LONG, asRoot, input: new Secret(text) }))).toBe(text);
  });

  test('truncates a large output and lets the command finish', async () => {
    const result = await run(['head', '-c', String(MAX_OUTPUT_BYTES * 8), '/dev/zero']);
    expect([result.exitCode, result.stdout.length]).toEqual([0, MAX_OUTPUT_BYTES]);
  });

  test('runs commands on one connection sequentially and concurrently', async () => {
    const connection = await connect();
    const echo = async (word: string) => output(await connection.run(['printf', '%s', word], LONG));
    expect([await echo('one'), await echo('two')]).toEqual(['one', 'two']);
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(echo))).toEqual(['a', 'b', 'c', 'd']);
  });

  test('continues after the host starts a new key exchange', async () => {
    const connection = await connect();
    const size = String(REKEY_AFTER_BYTES * 2);
    expect(await connection.run(['head', '-c', size, '/dev/zero'], LONG)).toMatchObject({ exitCode: 0 });
    expect(output(await connection.run(['printf', 'in'], LONG))).toBe('in');
  });
}

function testConnections({ host, tryConnect, connect }: TransportSuite): void {
  test('reports the host key', async () => {
    const { hostKey } = await connect();
    expect(hostKey).toBe(host().hostKey);
    expect(isHostKey(hostKey)).toBe(true);
  });

  test('connects if the host key is known, with or without a comment', async () => {
    for (const hostKeys of [[host().hostKey], [OTHER_KEY, `${host().hostKey} root@host`]]) {
      const connection = assertSuccess(await tryConnect({ ...host().target, hostKeys }));
      expect(output(await connection.run(['printf', 'in'], LONG))).toBe('in');
      connection.close();
    }
  });

  test('does not log in if the host key is unknown, and reports the presented key', async () => {
    const before = await host().logins();
    const failed = await tryConnect({ ...host().target, hostKeys: [OTHER_KEY] });
    expect(failed).toMatchObject({ kind: 'host_key_changed', presentedKey: host().hostKey });
    expect(await host().logins()).toBe(before);
  });

  test('reports a rejected private key without revealing it', async () => {
    const failed = await tryConnect({ ...host().target, privateKey: host().unauthorizedKey });
    expect(failed).toEqual(failure('auth_rejected'));
    expect(JSON.stringify(failed)).not.toContain(host().unauthorizedKey.reveal());
  });

  test('returns unreachable if no process listens on the port', async () => {
    expect(await tryConnect(host().closedPort)).toEqual(failure('unreachable'));
  });

  test('times out while connecting and while running a command', async () => {
    expect(await tryConnect(host().unresponsive, SHORT)).toEqual(failure('timed_out'));
    expect(await (await connect()).run(SLEEP_FOREVER, SHORT)).toEqual(failure('timed_out'));
  });

  test('aborts immediately while connecting and while running a command', async () => {
    const connection = await connect();
    for (const start of [
      (limits: CallLimits) => tryConnect(host().unresponsive, limits),
      (limits: CallLimits) => connection.run(SLEEP_FOREVER, limits),
    ]) {
      const controller = new AbortController();
      const result = start({ ...LONG, signal: controller.signal });
      controller.abort();
      expect(await result).toEqual(failure('unreachable'));
    }
  });

  test.each([
    ['the signal is already aborted', { ...LONG, signal: AbortSignal.abort() }],
    ['mayProceed returns false', { ...LONG, mayProceed: () => false }],
  ])('sends nothing if %s', async (_case, limits) => {
    const before = await host().logins();
    expect(await tryConnect(host().target, limits)).toEqual(failure('unreachable'));
    expect(await host().logins()).toBe(before);
    expect(await (await connect()).run(SLEEP_FOREVER, limits)).toEqual(failure('unreachable'));
  });

  test('fails the running command and all later commands after the connection is lost', async () => {
    const connection = await connect();
    const result = connection.run(SLEEP_FOREVER, LONG);
    await host().cut();
    expect(await result).toEqual(failure('unreachable'));
    expect(await connection.run(['printf', 'in'], LONG)).toEqual(failure('unreachable'));
  });

  test('closes the connection after a command times out', async () => {
    const connection = await connect();
    const other = connection.run(SLEEP_FOREVER, LONG);
    expect(await connection.run(SLEEP_FOREVER, SHORT)).toEqual(failure('timed_out'));
    expect(await other).toEqual(failure('unreachable'));
    expect(await connection.run(['printf', 'in'], LONG)).toEqual(failure('unreachable'));
  });

  test('fails running commands on close, which is idempotent', async () => {
    const connection = await connect();
    const result = connection.run(SLEEP_FOREVER, LONG);
    connection.close();
    connection.close();
    expect(await result).toEqual(failure('unreachable'));
    expect(await connection.run(['printf', 'in'], LONG)).toEqual(failure('unreachable'));
  });
}

export function transportConforms(type: string, open: () => ConformanceHost | Promise<ConformanceHost>): void {
  describeTransport(type, open, suite => {
    testCommands(suite);
    testConnections(suite);
  });
}

/** The part of the suite that depends on the login shell. */
export function transportRunsCommands(type: string, open: () => ConformanceHost | Promise<ConformanceHost>): void {
  describeTransport(type, open, testCommands);
}

// TLS as the program does it, with certificates of its own making; only 127.0.0.1 is ever asked.

import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCertificate } from '../harness/certificates/certificates.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runHostler } from '../harness/programs/process.ts';

const host = '127.0.0.1';

interface Answered {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  /** The certificate's name. */
  readonly certificate: unknown;
  readonly isReused: boolean;
}

async function ask(url: string, agent: Agent, to = '/readyz'): Promise<Answered> {
  const call = request(url + to, { agent });
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const { subject } = (response.socket as TLSSocket).getPeerCertificate();
  response.resume();
  await once(response, 'end');
  const { statusCode: status, headers } = response;
  return { status, headers, certificate: subject.CN, isReused: call.reusedSocket };
}

const VERSIONS = ['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;

/** Also those that the old versions need and that nobody else offers any more. */
const ANY_CIPHER = 'DEFAULT:@SECLEVEL=0';

interface Handshake extends ConnectionOptions {
  readonly version: (typeof VERSIONS)[number];
}

/** The version that was agreed on, or the code of the failure. */
async function handshake({ version, ciphers = ANY_CIPHER, ...options }: Handshake): Promise<unknown> {
  const socket = connect({ ...options, minVersion: version, maxVersion: version, ciphers });
  try {
    await once(socket, 'secureConnect');
    return socket.getProtocol();
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    socket.destroy();
  }
}

describe('the service with TLS', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-tls-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const inFolder = (...names: string[]) => path.join(folder, ...names);
  /** Exchanges both files at once, through a symbolic link, as Kubernetes does. */
  function useFolder(name: string) {
    symlinkSync(name, inFolder('new'));
    renameSync(inFolder('new'), inFolder('live'));
  }
  const run = ({
    cert = 'live/cert.pem',
    key = 'live/key.pem',
    nodeArgs = [] as string[],
  } = {}): RunningProgram =>
    runHostler(
      ['serve'],
      {
        HOSTLER_LISTEN: `${host}:0`,
        HOSTLER_DATA: inFolder('data'),
        HOSTLER_TLS_CERT: inFolder(cert),
        HOSTLER_TLS_KEY: inFolder(key),
      },
      nodeArgs,
    );
  /** Trusts the certificates of these folders, and keeps a connection open. */
  const agentFor = (...names: string[]) =>
    new Agent({
      keepAlive: true,
      maxSockets: 1,
      ca: names.map(name => readFileSync(inFolder(name, 'cert.pem'), 'utf8')),
    });

  test('answers over TLS, and tells browsers to stay with it', async () => {
    makeCertificate(inFolder('one'));
    useFolder('one');
    const server = run();
    const url = await server.url();
    expect(url).toMatch(/^https:/);
    const agent = agentFor('one');
    for (const [to, status] of [
      ['/readyz', 200],
      ['/api/v0/hosts', 401],
    ] as const) {
      const answer = await ask(url, agent, to);
      expect([answer.status, answer.headers['strict-transport-security']]).toEqual([
        status,
        'max-age=31536000',
      ]);
    }
    agent.destroy();
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(server.stderr).not.toContain('expire');
  });

  test('speaks TLS 1.2 and newer, also with a new certificate and if Node is told to speak older ones', async () => {
    for (const name of ['one', 'two']) makeCertificate(inFolder(name), { kind: 'rsa:2048' });
    useFolder('one');
    const server = run({ nodeArgs: ['--tls-min-v1.0', `--tls-cipher-list=${ANY_CIPHER}`] });
    const port = Number(new URL(await server.url()).port);
    const tryAll = (name: string) => {
      const ca = readFileSync(inFolder(name, 'cert.pem'));
      return Promise.all(VERSIONS.map(version => handshake({ host, port, ca, version })));
    };
    const expected = ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'TLSv1.2', 'TLSv1.3'];
    expect(await tryAll('one')).toEqual(expected);
    useFolder('two');
    await server.says(/TLS certificate reloaded/);
    expect(await tryAll('two')).toEqual(expected);
    await server.kill('SIGTERM');
  });

  test('accepts AEAD cipher suites only, also if Node is configured with others', async () => {
    makeCertificate(inFolder('one'), { kind: 'rsa:2048' });
    useFolder('one');
    const server = run({ nodeArgs: [`--tls-cipher-list=${ANY_CIPHER}`] });
    const port = Number(new URL(await server.url()).port);
    const ca = readFileSync(inFolder('one', 'cert.pem'));
    const tried = async (ciphers: string) => handshake({ host, port, ca, version: 'TLSv1.2', ciphers });
    for (const refused of [
      'ECDHE-RSA-AES128-SHA',
      'ECDHE-RSA-AES256-SHA384',
      'AES128-GCM-SHA256',
      'AES128-SHA',
    ])
      expect([refused, await tried(refused)]).toEqual([refused, expect.stringMatching(/HANDSHAKE_FAILURE$/)]);
    for (const accepted of ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'])
      expect([accepted, await tried(accepted)]).toEqual([accepted, 'TLSv1.2']);
    await server.kill('SIGTERM');
    expect(server.stderr).toMatch(/"msg":"server listening at https:\/\/127\.0\.0\.1:\d+"/);
    expect(server.stderr).not.toContain('http://');
  });

  test('takes a new certificate without a restart, and a connection that is open goes on', async () => {
    makeCertificate(inFolder('one'));
    const { key } = makeCertificate(inFolder('two'));
    useFolder('one');
    const server = run();
    const url = await server.url();
    const [open, later] = [agentFor('one'), agentFor('two')];
    expect(await ask(url, open)).toMatchObject({ status: 200, certificate: 'one' });
    useFolder('two');
    await server.says(/"validTo":"\d{4}-[^"]+Z","msg":"TLS certificate reloaded"/);
    expect(await ask(url, later)).toMatchObject({ status: 200, certificate: 'two', isReused: false });
    expect(await ask(url, open)).toMatchObject({ status: 200, certificate: 'one', isReused: true });
    open.destroy();
    later.destroy();
    await server.kill('SIGTERM');
    const secret = readFileSync(key, 'utf8').split('\n')[1] ?? '';
    expect(secret).toHaveLength(64);
    expect(server.stderr + server.stdout).not.toContain(secret);
  });

  test('keeps the old certificate while the new one has another key, and takes it when that is put right', async () => {
    makeCertificate(inFolder('one'));
    makeCertificate(inFolder('two'));
    mkdirSync(inFolder('mixed'));
    copyFileSync(inFolder('two/cert.pem'), inFolder('mixed/cert.pem'));
    copyFileSync(inFolder('one/key.pem'), inFolder('mixed/key.pem'));
    useFolder('one');
    const server = run();
    const url = await server.url();
    useFolder('mixed');
    await server.says(/new TLS certificate is invalid; keeping the current one/);
    const agents = [agentFor('one', 'two'), agentFor('one', 'two')] as const;
    expect(await ask(url, agents[0])).toMatchObject({ status: 200, certificate: 'one' });
    useFolder('two');
    await server.says(/TLS certificate reloaded/);
    expect(await ask(url, agents[1])).toMatchObject({ status: 200, certificate: 'two' });
    for (const agent of agents) agent.destroy();
    await server.kill('SIGTERM');
    expect(server.stderr.match(/keeping the current one/g)).toHaveLength(1);
  });

  test('warns at the start of a certificate that expires soon', async () => {
    makeCertificate(inFolder('one'), { days: 5 });
    useFolder('one');
    const server = run();
    await server.says(/TLS certificate expires within 14 days/);
    await server.kill('SIGTERM');
  });

  test.each(['ed25519', 'rsa:2048'] as const)(
    'does not start with the %s key of another certificate',
    async kind => {
      makeCertificate(inFolder('one'));
      makeCertificate(inFolder('two'), { kind });
      const server = run({ cert: 'one/cert.pem', key: 'two/key.pem' });
      expect((await server.ended).code).toBe(78);
      expect(server.stderr).toContain('tls_cert, tls_key: not a valid certificate and private key');
      expect(server.stderr).not.toMatch(/^\s+at /m);
    },
  );
});

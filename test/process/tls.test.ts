import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCertificate } from '../harness/certificates/certificates.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runHostler } from '../harness/programs/process.ts';

const host = '127.0.0.1';

interface TlsResponse {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  /** Common name of the certificate. */
  readonly certificate: unknown;
  readonly isReused: boolean;
}

async function get(url: string, agent: Agent, to = '/readyz'): Promise<TlsResponse> {
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

/** Includes the ciphers that old versions need. */
const ANY_CIPHER = 'DEFAULT:@SECLEVEL=0';

interface Handshake extends ConnectionOptions {
  readonly version: (typeof VERSIONS)[number];
}

/** Returns the negotiated version, or the error code. */
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
  /** Replaces both files at once through a symbolic link, like Kubernetes. */
  function useFolder(name: string) {
    symlinkSync(name, inFolder('new'));
    renameSync(inFolder('new'), inFolder('live'));
  }
  const run = ({ cert = 'live/cert.pem', key = 'live/key.pem', nodeArgs = [] as string[] } = {}): RunningProgram =>
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
  /** Trusts the certificates of these folders and keeps a connection open. */
  const agentFor = (...names: string[]) =>
    new Agent({
      keepAlive: true,
      maxSockets: 1,
      ca: names.map(name => readFileSync(inFolder(name, 'cert.pem'), 'utf8')),
    });

  test('responds over TLS with the strict-transport-security header', async () => {
    createCertificate(inFolder('one'));
    useFolder('one');
    const server = run();
    const url = await server.url();
    expect(url).toMatch(/^https:/);
    const agent = agentFor('one');
    for (const [to, status] of [
      ['/readyz', 200],
      ['/api/v0/hosts', 401],
    ] as const) {
      const response = await get(url, agent, to);
      expect([response.status, response.headers['strict-transport-security']]).toEqual([status, 'max-age=31536000']);
    }
    agent.destroy();
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(server.stderr).not.toContain('expire');
  });

  test('accepts TLS 1.2 and newer with AEAD cipher suites only, also if Node is configured with others', async () => {
    for (const name of ['one', 'two']) createCertificate(inFolder(name), { kind: 'rsa:2048' });
    useFolder('one');
    const server = run({ nodeArgs: ['--tls-min-v1.0', `--tls-cipher-list=${ANY_CIPHER}`] });
    const port = Number(new URL(await server.url()).port);
    const tryVersions = (name: string) => {
      const ca = readFileSync(inFolder(name, 'cert.pem'));
      return Promise.all(VERSIONS.map(version => handshake({ host, port, ca, version })));
    };
    const expected = ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'TLSv1.2', 'TLSv1.3'];
    expect(await tryVersions('one')).toEqual(expected);
    const ca = readFileSync(inFolder('one', 'cert.pem'));
    const tryCiphers = async (ciphers: string) => handshake({ host, port, ca, version: 'TLSv1.2', ciphers });
    for (const rejected of ['ECDHE-RSA-AES128-SHA', 'ECDHE-RSA-AES256-SHA384', 'AES128-GCM-SHA256', 'AES128-SHA'])
      expect([rejected, await tryCiphers(rejected)]).toEqual([rejected, expect.stringMatching(/HANDSHAKE_FAILURE$/)]);
    for (const accepted of ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'])
      expect([accepted, await tryCiphers(accepted)]).toEqual([accepted, 'TLSv1.2']);
    useFolder('two');
    await server.waitForOutput(/TLS certificate reloaded/);
    expect(await tryVersions('two')).toEqual(expected);
    await server.kill('SIGTERM');
    expect(server.stderr).toMatch(/"msg":"server listening at https:\/\/127\.0\.0\.1:\d+"/);
    expect(server.stderr).not.toContain('http://');
  });

  test('reloads a new certificate without a restart, keeps open connections, and ignores a certificate with another key', async () => {
    createCertificate(inFolder('one'));
    const { key } = createCertificate(inFolder('two'));
    mkdirSync(inFolder('mixed'));
    copyFileSync(inFolder('two/cert.pem'), inFolder('mixed/cert.pem'));
    copyFileSync(inFolder('one/key.pem'), inFolder('mixed/key.pem'));
    useFolder('one');
    const server = run();
    const url = await server.url();
    const agents = Array.from({ length: 3 }, () => agentFor('one', 'two')) as [Agent, Agent, Agent];
    expect(await get(url, agents[0])).toMatchObject({ status: 200, certificate: 'one' });
    useFolder('mixed');
    await server.waitForOutput(/new TLS certificate is invalid; keeping the current one/);
    expect(await get(url, agents[1])).toMatchObject({ status: 200, certificate: 'one', isReused: false });
    useFolder('two');
    await server.waitForOutput(/"validTo":"\d{4}-[^"]+Z","msg":"TLS certificate reloaded"/);
    expect(await get(url, agents[2])).toMatchObject({ status: 200, certificate: 'two', isReused: false });
    expect(await get(url, agents[0])).toMatchObject({ status: 200, certificate: 'one', isReused: true });
    for (const agent of agents) agent.destroy();
    await server.kill('SIGTERM');
    expect(server.stderr.match(/keeping the current one/g)).toHaveLength(1);
    const secret = readFileSync(key, 'utf8').split('\n')[1] ?? '';
    expect(secret).toHaveLength(64);
    expect(server.stderr + server.stdout).not.toContain(secret);
  });

  test('warns at the start about a certificate that expires soon', async () => {
    createCertificate(inFolder('one'), { days: 5 });
    useFolder('one');
    const server = run();
    await server.waitForOutput(/TLS certificate expires within 14 days/);
    await server.kill('SIGTERM');
  });

  test.each(['ed25519', 'rsa:2048'] as const)('does not start with the %s key of another certificate', async kind => {
    createCertificate(inFolder('one'));
    createCertificate(inFolder('two'), { kind });
    const server = run({ cert: 'one/cert.pem', key: 'two/key.pem' });
    expect((await server.ended).code).toBe(78);
    expect(server.stderr).toContain('tls_cert, tls_key: not a valid certificate and private key');
    expect(server.stderr).not.toMatch(/^\s+at /m);
  });
});

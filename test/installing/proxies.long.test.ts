// The proxy examples are valid. nginx forwards to the service and passes events on at once. No proxy retries
// requests that start operations.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCertificate } from '../harness/certificates/certificates.ts';
import { ADMIN_PASSWORD, basic } from '../harness/credentials.ts';
import { freePort, listen } from '../harness/http/sockets.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { runTool } from '../harness/programs/run-tool.ts';
import { startTestService } from '../harness/service.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';
import { waitUntil } from '../harness/wait-until.ts';

/** Copies an example with test files instead of those in /etc/hostler. */
function copyExample(name: string, change: (text: string) => string = text => text): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { cert, key } = createCertificate(folder);
  writeFileSync(path.join(folder, 'hostler.pem'), readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
  const text = readFileSync(path.join(PROJECT, 'contrib/examples', name), 'utf8');
  writeFileSync(path.join(folder, name), change(text.replaceAll('/etc/hostler', folder)));
  return folder;
}

/** Main configuration that includes the example. */
function nginxMain(folder: string): string {
  const file = path.join(folder, 'main.conf');
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  const http = `http { access_log off; ${tempPaths.join(' ')} include ${folder}/nginx.conf; }`;
  writeFileSync(file, `daemon off; pid ${folder}/pid; error_log stderr; events {}\n${http}\n`);
  return file;
}

/** Runs the example with one server instead of three. Returns the port of the proxy. */
async function startProxy(proxy: 'nginx' | 'haproxy', server: string): Promise<number> {
  const port = await freePort();
  if (port === undefined) throw new Error('no free port');
  const name = proxy === 'nginx' ? 'nginx.conf' : 'haproxy.cfg';
  const folder = copyExample(name, text =>
    text
      .replaceAll(/192\.0\.2\.\d:8000/g, server)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('bind :443', `bind 127.0.0.1:${port}`),
  );
  const args = proxy === 'nginx' ? ['-c', nginxMain(folder)] : ['-f', path.join(folder, name)];
  const running = spawn(proxy, args, { stdio: 'ignore' });
  onTestFinished(() => void running.kill('SIGTERM'));
  return port;
}

/** The status through a proxy, or `undefined` while it does not respond. */
const statusOf = (port: number, method: string, target: string, headers: Record<string, string> = {}) =>
  new Promise<number | undefined>(resolve => {
    const options = { host: '127.0.0.1', port, method, path: target, headers, rejectUnauthorized: false };
    request(options, response => resolve(response.resume().statusCode))
      .once('error', () => resolve(undefined))
      .end();
  });

/** A server that is ready and responds to other requests with 503. It counts requests since the last call. */
async function unavailableServer() {
  let count = 0;
  const server = createServer((incoming, response) => {
    const isReady = incoming.url === '/readyz';
    if (!isReady) count += 1;
    response.writeHead(isReady ? 200 : 503).end();
  });
  await listen(server);
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  const takeCount = () => {
    const times = count;
    count = 0;
    return times;
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, takeCount };
}

const START = '/api/v0/cluster/web/restart';
const KEY = { 'idempotency-key': 'kernel' };

describeWithPrograms('the proxy examples', ['nginx', 'haproxy'], () => {
  test('are accepted by nginx and HAProxy', async () => {
    await runTool(['nginx', '-t', '-c', nginxMain(copyExample('nginx.conf'))]);
    await runTool(['haproxy', '-c', '-f', path.join(copyExample('haproxy.cfg'), 'haproxy.cfg')]);
  });

  test('forward to the service and pass events on at once', async () => {
    const service = await startTestService('sqlite', { HOSTLER_TRUST_PROXY: '127.0.0.1' });
    onTestFinished(() => service.stop());
    const port = await startProxy('nginx', new URL(service.url).host);
    const open = (target: string, password = ADMIN_PASSWORD) =>
      new Promise<{ status: number | undefined; body: () => string }>((resolve, reject) => {
        let body = '';
        const headers = { authorization: basic(`admin:${password}`), 'x-forwarded-for': '203.0.113.9' };
        const call = request(
          { host: '127.0.0.1', port, path: target, headers, rejectUnauthorized: false },
          response => {
            response.setEncoding('utf8').on('data', (text: string) => {
              body += text;
            });
            resolve({ status: response.statusCode, body: () => body });
          },
        );
        call.once('error', reject);
        call.end();
        onTestFinished(() => void call.destroy());
      });
    await waitUntil('nginx responds', async () => (await open('/readyz').catch(() => undefined))?.status === 200);
    const events = await open('/api/v0/events');
    await service.put('/api/v0/network/lab', { type: 'none', options: {} });
    await waitUntil('the event arrives', () => events.body().includes('network.created'));
    // The proxy replaces the forwarded address that a client sends.
    expect((await open('/api/v0/user', 'wrong')).status).toBe(401);
    const failedLogin = await waitUntil('the login is recorded', async () => {
      const { body } = await service.get<unknown[]>('/api/v0/audit?type=account.login_failed');
      return body[0];
    });
    expect(failedLogin).toMatchObject({ address: '127.0.0.1' });
  });

  test.each([
    ['nginx', 'PUT', START, {}, 1],
    ['nginx', 'PUT', `${START}/`, {}, 1],
    ['nginx', 'PUT', '/api//v0/cluster/w%65b/upgrade', {}, 1],
    ['nginx', 'PUT', '/api/v0/cluster/web', {}, 3],
    ['haproxy', 'PUT', START, {}, 1],
    ['haproxy', 'PUT', `${START}/`, {}, 1],
    ['haproxy', 'PUT', '/api//v0/cluster/w%65b/upgr%61de', {}, 1],
    ['haproxy', 'PUT', START, KEY, 3],
    ['haproxy', 'GET', START, {}, 3],
    ['haproxy', 'PUT', '/api/v0/cluster/web', {}, 3],
  ] as const)('%s for %s %s with %j sends %i requests', async (proxy, method, target, headers, times) => {
    const { host, takeCount } = await unavailableServer();
    const port = await startProxy(proxy, host);
    await waitUntil('the proxy responds', async () => (await statusOf(port, 'GET', '/readyz')) === 200);
    expect(takeCount()).toBe(0);
    await statusOf(port, method, target, headers);
    expect(takeCount()).toBe(times);
  });
});

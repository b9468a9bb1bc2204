// The examples of proxies are configurations that these take. nginx leads to the service and hands on events at once; neither repeats
// what starts operations.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../harness/certificates/certificates.ts';
import { describeUnless } from '../harness/describe-unless.ts';
import { freePort } from '../harness/hosts/loopback-address.ts';
import { runTool } from '../harness/hosts/run-tool.ts';
import { listen } from '../harness/listen.ts';
import { problemWithPrograms } from '../harness/programs/missing-programs.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { ADMIN_PASSWORD, basic, startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

/** An example with files of ours in the place of those in /etc/hostler. */
function adapted(name: string, change: (text: string) => string = text => text): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { cert, key } = makeCertificate(folder);
  writeFileSync(path.join(folder, 'hostler.pem'), readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
  const text = readFileSync(path.join(PROJECT, 'contrib/examples', name), 'utf8');
  writeFileSync(path.join(folder, name), change(text.replaceAll('/etc/hostler', folder)));
  return folder;
}

/** The example is for a folder that nginx includes; this is what includes it. */
function nginxMain(folder: string): string {
  const file = path.join(folder, 'main.conf');
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  const http = `http { access_log off; ${places.join(' ')} include ${folder}/nginx.conf; }`;
  writeFileSync(file, `daemon off; pid ${folder}/pid; error_log stderr; events {}\n${http}\n`);
  return file;
}

/** Runs the example in front of one server in the place of three; the port that it listens on. */
async function started(proxy: 'nginx' | 'haproxy', server: string): Promise<number> {
  const port = await freePort('127.0.0.1', 0);
  if (port === undefined) throw new Error('there is no free port');
  const name = proxy === 'nginx' ? 'nginx.conf' : 'haproxy.cfg';
  const folder = adapted(name, text =>
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

/** The status that comes back through a proxy; `undefined` while there is none. */
const statusOf = (port: number, method: string, target: string, headers: Record<string, string> = {}) =>
  new Promise<number | undefined>(resolve => {
    const options = { host: '127.0.0.1', port, method, path: target, headers, rejectUnauthorized: false };
    request(options, response => resolve(response.resume().statusCode))
      .once('error', () => resolve(undefined))
      .end();
  });

/** A server that is ready and answers all else with 503; it tells how often it was asked since it was last told. */
async function unavailableServer() {
  let asked = 0;
  const server = createServer((incoming, response) => {
    const isReady = incoming.url === '/readyz';
    if (!isReady) asked += 1;
    response.writeHead(isReady ? 200 : 503).end();
  });
  await listen(server);
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  const timesAsked = () => {
    const times = asked;
    asked = 0;
    return times;
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, timesAsked };
}

const START = '/api/v0/cluster/web/restart';
const KEY = { 'idempotency-key': 'kernel' };

describeUnless(
  problemWithPrograms(['nginx -v', 'haproxy -v']),
  'there are no proxies',
  'the examples of proxies',
  () => {
    test('are taken by nginx and by HAProxy', async () => {
      await runTool(['nginx', '-t', '-c', nginxMain(adapted('nginx.conf'))]);
      await runTool(['haproxy', '-c', '-f', path.join(adapted('haproxy.cfg'), 'haproxy.cfg')]);
    });

    test('lead to the service, and hand on events at once', async () => {
      const service = await startTestService('sqlite', { HOSTLER_TRUST_PROXY: '127.0.0.1' });
      onTestFinished(() => service.stop());
      const port = await started('nginx', new URL(service.url).host);
      const open = (target: string, password = ADMIN_PASSWORD) =>
        new Promise<{ status: number | undefined; said: () => string }>((resolve, reject) => {
          let said = '';
          const headers = { authorization: basic(`admin:${password}`), 'x-forwarded-for': '203.0.113.9' };
          const asked = request(
            { host: '127.0.0.1', port, path: target, headers, rejectUnauthorized: false },
            response => {
              response.setEncoding('utf8').on('data', (text: string) => {
                said += text;
              });
              resolve({ status: response.statusCode, said: () => said });
            },
          );
          asked.once('error', reject);
          asked.end();
          onTestFinished(() => void asked.destroy());
        });
      await until(
        'nginx answers',
        async () => (await open('/readyz').catch(() => undefined))?.status === 200,
      );
      const events = await open('/api/v0/events');
      await service.put('/api/v0/network/lab', { type: 'none', options: {} });
      await until('the event is there', () => events.said().includes('network.created'));
      // What a caller claims about itself is replaced.
      expect((await open('/api/v0/user', 'wrong')).status).toBe(401);
      const refused = await until('the login is on record', async () => {
        const { body } = await service.get<unknown[]>('/api/v0/audit?type=account.login_failed');
        return body[0];
      });
      expect(refused).toMatchObject({ address: '127.0.0.1' });
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
    ] as const)(
      '%s asks servers for %s %s with %j so often: %i',
      async (proxy, method, target, headers, times) => {
        const { host, timesAsked } = await unavailableServer();
        const port = await started(proxy, host);
        await until('the proxy answers', async () => (await statusOf(port, 'GET', '/readyz')) === 200);
        expect(timesAsked()).toBe(0);
        await statusOf(port, method, target, headers);
        expect(timesAsked()).toBe(times);
      },
    );
  },
);

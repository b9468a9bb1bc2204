// The examples of proxies are configurations that these take, and nginx leads to the service and hands on events at once.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../harness/certificates/certificates.ts';
import { describeUnless } from '../harness/describe-unless.ts';
import { freePort } from '../harness/hosts/loopback-address.ts';
import { runTool } from '../harness/hosts/run-tool.ts';
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

describeUnless(
  problemWithPrograms(['nginx -v', 'haproxy -v']),
  'there are no proxies',
  'the examples of proxies',
  () => {
    test('are taken by nginx and by HAProxy', async () => {
      await runTool(['nginx', '-t', '-c', nginxMain(adapted('nginx.conf'))]);
      await runTool(['haproxy', '-c', '-f', path.join(adapted('haproxy.cfg'), 'haproxy.cfg')]);
    });

    test('lead to the service, and hand on events at once', { timeout: 60_000 }, async () => {
      const service = await startTestService('sqlite', { HOSTLER_TRUST_PROXY: '127.0.0.1' });
      onTestFinished(() => service.stop());
      const port = await freePort('127.0.0.1', 0);
      const folder = adapted('nginx.conf', text =>
        text
          .replaceAll(/server 192\.0\.2\.\d:8000/g, `server ${new URL(service.url).host}`)
          .replace('listen 443', `listen 127.0.0.1:${port}`),
      );
      const nginx = spawn('nginx', ['-c', nginxMain(folder)], { stdio: 'ignore' });
      onTestFinished(() => void nginx.kill('SIGTERM'));
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
        const { body } = await service.get<unknown[]>('/api/v0/audit?type=account.login_refused');
        return body[0];
      });
      expect(refused).toMatchObject({ address: '127.0.0.1' });
    });
  },
);

// What must not be seen is not there: in no file, no dump, no line of the log, no argument of the process.

import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { findBinaries } from '../harness/postgres.ts';
import { runHostler } from '../harness/process.ts';
import type { StorePlace } from '../harness/stores.ts';
import { describeStores, makeStorePlace } from '../harness/stores.ts';

const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const SECRETS = {
  adminPassword: `admin-${randomBytes(12).toString('hex')}`,
  otherPassword: `other-${randomBytes(12).toString('hex')}`,
  changedPassword: `changed-${randomBytes(12).toString('hex')}`,
  wrongPassword: `wrong-${randomBytes(12).toString('hex')}`,
  token: `token-${randomBytes(12).toString('hex')}`,
  privateKey: Buffer.from(pem).toString('base64'),
  refusedKey: randomBytes(60).toString('base64'),
  secretKey: randomBytes(32).toString('base64'),
};

/** Each secret, as it is and in base64; of long ones a part from the middle is enough to give them away. */
const needles = Object.entries(SECRETS).flatMap(([name, secret]) =>
  [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret, 'base64').toString('latin1')].map(
    text => ({
      name,
      needle: Buffer.from(text.slice(10, 42), 'latin1'),
    }),
  ),
);

const found = (where: string, bytes: Buffer) =>
  needles
    .filter(({ needle }) => needle.length > 8 && bytes.includes(needle))
    .map(({ name }) => `${name} in ${where}`);

describeStores(
  kind => `secrets, on ${kind}`,
  kind => {
    let place: StorePlace;
    beforeAll(async () => {
      place = await makeStorePlace(kind);
    });
    afterAll(() => place.remove());

    const start = () =>
      runHostler(['serve'], {
        HOSTLER_LISTEN: '127.0.0.1:0',
        HOSTLER_DATA: place.folder,
        HOSTLER_STORE: place.location,
        HOSTLER_LOG_LEVEL: 'trace',
        HOSTLER_SECRET_KEY: SECRETS.secretKey,
        HOSTLER_ADMIN_PASSWORD: SECRETS.adminPassword,
      });

    async function beBusy(baseUrl: string) {
      const as = (user: string, password: string) => createClient({ baseUrl, user, password });
      const admin = as('admin', SECRETS.adminPassword);
      const options = { server_url: 'https://127.0.0.1:6443', token: SECRETS.token };
      await admin.putContainerManager({ name: 'kube', body: { type: 'kubernetes', options } });
      await admin.putCluster({ name: 'c', body: { network: 'default', container_manager: 'kube' } });
      await admin.putHost({ address: '127.0.0.1', body: { ssh_priv_key: SECRETS.privateKey, cluster: 'c' } });
      await admin.putHost({ address: '127.0.0.2', body: { ssh_priv_key: SECRETS.privateKey, cluster: 'c' } });
      await admin.removeHost({ address: '127.0.0.2' });
      await admin.putAccount({ name: 'ann', body: { password: SECRETS.otherPassword, role: 'operator' } });
      await admin.changePassword({ name: 'ann', body: { password: SECRETS.changedPassword } });
      expect((await admin.getHostCreds({ address: '127.0.0.1' })).body.ssh_priv_key).toBe(SECRETS.privateKey);
      expect((await admin.getContainerManager({ name: 'kube' })).body.options['token']).toBe(SECRETS.token);
      const refused = [
        as('admin', SECRETS.wrongPassword).listHosts(),
        admin.putHost({ address: '127.0.0.3', body: { ssh_priv_key: SECRETS.refusedKey } }),
        admin.putHost({ address: '127.0.0.1', body: { ssh_priv_key: SECRETS.refusedKey } }),
        admin.putContainerManager({
          name: 'kube',
          body: { type: 'k3s', options: { ...options, token: SECRETS.token } },
        }),
      ];
      for (const { status, reason } of (await Promise.allSettled(refused)) as PromiseRejectedResult[]) {
        expect(status).toBe('rejected');
        expect(
          found('an error of the client', Buffer.from(`${reason.stack} ${JSON.stringify(reason.problem)}`)),
        ).toEqual([]);
      }
    }

    test('are in no file, no dump, no line of the log and no argument', async () => {
      const server = start();
      await beBusy(await server.url());
      const leaks = found('the arguments', readFileSync(`/proc/${server.child.pid}/cmdline`));
      await server.kill('SIGKILL');
      leaks.push(...found('the log', Buffer.from(server.stdout + server.stderr)));
      expect(server.stderr.length).toBeGreaterThan(1000);
      for (const name of readdirSync(place.folder)) {
        leaks.push(...found(name, readFileSync(path.join(place.folder, name))));
      }
      if (kind === 'postgres') {
        const dump = execFileSync(path.join(findBinaries() ?? '', 'pg_dump'), [place.location]);
        expect(dump.toString()).toContain('host_access');
        leaks.push(...found('the dump', dump));
      } else expect(readdirSync(place.folder)).toContain('hostler.sqlite-wal');
      expect(leaks).toEqual([]);
    });

    test('would be found if they were there', () => {
      for (const secret of Object.values(SECRETS)) {
        expect(found('x', Buffer.from(`before ${secret} after`))).not.toEqual([]);
        expect(found('x', Buffer.from(Buffer.from(secret).toString('base64')))).not.toEqual([]);
      }
    });
  },
);

// The present version on data of each version before it: everything is there, and what was under way goes on.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runRotation } from '../../src/server/keys/run-rotation.ts';
import { runVerification } from '../../src/server/run-verification.ts';
import { HOST_KEY } from '../harness/keys.ts';
import { describeStores } from '../harness/stores/stores.ts';
import { until } from '../harness/until.ts';
import { keptVersions } from './kept-data.ts';
import { KeptService } from './kept-service.ts';

interface Report {
  readonly hosts: readonly { readonly address: string; readonly phase: string }[];
}

/** All of them only when there is time. */
const VERSIONS = process.env['HOSTLER_TEST_ALL'] ? keptVersions() : keptVersions().slice(-1);

const AUDIT = '/api/v0/audit?limit=1000';
/** What ends was made to last afterwards; how far a webhook is changes with each event. */
const CHANGING = ['expires_at', 'position'];

/** As it was answered then; later versions may tell more. */
const expected = (answer: unknown): object =>
  JSON.parse(JSON.stringify(answer), (key, value) => (CHANGING.includes(key) ? expect.anything() : value));

describe.each(VERSIONS)('the data of version %s', version => {
  describeStores(
    kind => `on ${kind}`,
    kind => {
      let service: KeptService;
      const umask = process.umask();
      beforeAll(async () => {
        service = await KeptService.open(version, kind);
        await service.start();
      });
      afterAll(async () => {
        await service?.remove();
        process.umask(umask);
        vi.restoreAllMocks();
      });

      test('is answered as it was, with secrets in clear to whom they belong', async () => {
        const { [AUDIT]: log, ...others } = service.kept.answers;
        for (const [target, answer] of Object.entries(others))
          expect({ target, ...(await service.ask(target)) }).toMatchObject({
            target,
            status: 200,
            body: expected(answer),
          });
        const before = expected(log) as readonly object[];
        const after = (await service.ask<readonly object[]>(AUDIT)).body;
        expect(after.slice(-before.length)).toMatchObject(before);
      });

      test('lets in who was let in: by passwords, by a session, by a token', async () => {
        const { passwords, cookie, tokenSecret } = service.kept;
        for (const [name, password] of Object.entries(passwords))
          expect(await service.ask('/api/v0/user', `${name}:${password}`)).toMatchObject({ body: { name } });
        const session = { 'hostler-dashboard': '1', cookie };
        expect(await service.ask('/api/v0/user', session)).toMatchObject({ body: { name: 'admin' } });
        const itself = await service.ask('/api/v0/host', `token:${tokenSecret}`, { host_keys: [HOST_KEY] });
        expect(itself).toMatchObject({ status: 201, body: { address: '127.0.0.1' } });
      });

      test('has an operation that goes on', async () => {
        const { id } = service.kept.operation;
        const target = `/api/v0/operation/${id}`;
        const { hosts: before } = service.kept.answers[target] as Report;
        await service.stop();
        await service.startWithHosts();
        await until('a host comes a phase further', async () => {
          const { hosts } = (await service.ask<Report>(target)).body;
          return hosts.some(({ phase }, index) => phase !== before[index]?.phase);
        });
      });

      test('has a log whose chain holds, and secrets that can all be opened', async () => {
        await service.stop();
        let said = '';
        vi.spyOn(process.stdout, 'write').mockImplementation(text => {
          said += String(text);
          return true;
        });
        await runVerification(service.sources(), undefined);
        expect(said).toContain('the chain holds');
        const keys = `${randomBytes(32).toString('base64')} ${service.kept.secretKey}`;
        await runRotation(service.sources({ HOSTLER_SECRET_KEY: keys }));
        expect(said).toMatch(/Done: \d\d records are encrypted anew/);
      });
    },
  );
});

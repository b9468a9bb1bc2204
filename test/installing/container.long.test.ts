// The Containerfile for real, but for its base: no registry of images is reached, so the base is a Debian with Node of our own making.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/sdk/client.ts';
import { describeOnDocker } from '../harness/docker/describe-on-docker.ts';
import { ImageBuilder } from '../harness/docker/image-builder.ts';
import { blockOf } from '../harness/documents/read-through.ts';
import { freePort } from '../harness/hosts/loopback-address.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { until } from '../harness/until.ts';

const BUILD_MS = 900_000;
const CONTAINERFILE = path.join(PROJECT, 'contrib/container/Containerfile');
/** As the guide says, but for the volume and the port, which follow. */
const [, flags = ''] = /--name hostler (.*) \\\n/.exec(blockOf('docs/admin/install.md', 'docker run')) ?? [];
const CLOSED_OFF = ['--network', 'host', ...flags.split(' ')];

describeOnDocker('the container', () => {
  let [docker, port]: [ImageBuilder | undefined, number | undefined] = [undefined, undefined];
  const on = (): ImageBuilder => {
    if (docker === undefined) throw new Error('there is no Docker');
    return docker;
  };
  beforeAll(async () => {
    docker = await ImageBuilder.start();
    port = await freePort('127.0.0.1', 0);
    const [, base = ''] = /^ARG BASE=(\S+)$/m.exec(readFileSync(CONTAINERFILE, 'utf8')) ?? [];
    await docker.makeNodeImage(base);
    await docker.must('build', '--network', 'host', '-t', 'hostler', '-f', CONTAINERFILE, PROJECT);
  }, BUILD_MS);
  afterAll(() => docker?.stop(), 120_000);

  test('does not listen beyond itself unless it is told how', async () => {
    const refused = await on().run(['run', '--rm', '--network', 'host', 'hostler']);
    expect(refused.exitCode).toBe(78);
    expect(refused.stderr).toContain(
      'set HOSTLER_TLS_CERT and HOSTLER_TLS_KEY, or allow unencrypted connections with HOSTLER_ALLOW_PLAIN_HTTP=true',
    );
  });

  test('serves with a read-only root, as nobody special, and keeps its data', async () => {
    const start = (name: string) =>
      on().must(
        ...['run', '-d', '--name', name, ...CLOSED_OFF, '-v', 'kept:/var/lib/hostler'],
        ...['-e', `HOSTLER_LISTEN=127.0.0.1:${port}`, '-e', 'HOSTLER_ADMIN_PASSWORD=given', 'hostler'],
      );
    const isAlive = ['node', '/usr/local/lib/node_modules/hostler/contrib/container/is-alive.js'];
    const answers = async (name: string) => (await on().run(['exec', name, ...isAlive])).exitCode === 0;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, user: 'admin', password: 'given' });

    await start('first');
    await until('the first is alive', () => answers('first'), 60_000);
    await client.putCluster({ name: 'web', body: { network: 'default' } });
    expect(CLOSED_OFF).toContain('--read-only');
    expect(await on().must('exec', 'first', 'id', '-u')).toBe('10001');
    expect(await on().must('exec', 'first', 'hostler', 'doctor')).toContain('is intact');
    expect(await on().must('inspect', '-f', '{{.Config.Healthcheck.Test}}', 'first')).toContain(
      'is-alive.js',
    );
    await on().must('stop', 'first');
    expect(await on().must('inspect', '-f', '{{.State.ExitCode}}', 'first')).toBe('0');

    await start('second');
    await until('the second is alive', () => answers('second'), 60_000);
    expect((await client.listClusters()).body).toEqual(['web']);
    await on().must('stop', 'second');
  });
});

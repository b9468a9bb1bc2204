// Builds the Containerfile. No image registry is reachable, so the base is a Debian image with Node that the
// test builds.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import { ImageBuilder } from '../harness/docker/image-builder.ts';
import { findBlock } from '../harness/documents/run-document.ts';
import { freePort } from '../harness/http/sockets.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { createAdminClient } from '../harness/programs/server-process.ts';
import { describeOnDocker } from '../harness/vitest/conditional-suites.ts';
import { waitUntil } from '../harness/wait-until.ts';

const BUILD_MS = 900_000;
const CONTAINERFILE = path.join(PROJECT, 'contrib/container/Containerfile');
/** The flags of the guide without the volume and the port, which follow. */
const [, flags = ''] = /--name hostler (.*) \\\n/.exec(findBlock('docs/admin/install.md', 'docker run')) ?? [];
const RUN_FLAGS = ['--network', 'host', ...flags.split(' ')];

describeOnDocker('the container', () => {
  let [docker, port]: [ImageBuilder | undefined, number | undefined] = [undefined, undefined];
  const builder = (): ImageBuilder => {
    if (docker === undefined) throw new Error('Docker is not running');
    return docker;
  };
  beforeAll(async () => {
    docker = await ImageBuilder.start();
    port = await freePort();
    const [, base = ''] = /^ARG BASE=(\S+)$/m.exec(readFileSync(CONTAINERFILE, 'utf8')) ?? [];
    await docker.makeNodeImage(base);
    await docker.runChecked('build', '--network', 'host', '-t', 'hostler', '-f', CONTAINERFILE, PROJECT);
  }, BUILD_MS);
  afterAll(() => docker?.stop());

  test('does not listen on other addresses without TLS settings', async () => {
    const rejected = await builder().run(['run', '--rm', '--network', 'host', 'hostler']);
    expect(rejected.exitCode).toBe(78);
    expect(rejected.stderr).toContain(
      'set HOSTLER_TLS_CERT and HOSTLER_TLS_KEY, or allow unencrypted connections with HOSTLER_ALLOW_PLAIN_HTTP=true',
    );
  });

  test('serves with a read-only root as an unprivileged user and keeps its data', async () => {
    const start = (name: string) =>
      builder().runChecked(
        ...['run', '-d', '--name', name, ...RUN_FLAGS, '-v', 'data:/var/lib/hostler'],
        ...['-e', `HOSTLER_LISTEN=127.0.0.1:${port}`, '-e', `HOSTLER_ADMIN_PASSWORD=${ADMIN_PASSWORD}`, 'hostler'],
      );
    const healthCheck = ['node', '/usr/local/lib/node_modules/hostler/contrib/container/is-alive.js'];
    const isHealthy = async (name: string) => (await builder().run(['exec', name, ...healthCheck])).exitCode === 0;
    const client = createAdminClient(`http://127.0.0.1:${port}`);

    await start('first');
    await waitUntil('the first container is healthy', () => isHealthy('first'), 60_000);
    await client.putCluster({ name: 'web', body: { network: 'default' } });
    expect(RUN_FLAGS).toContain('--read-only');
    expect(await builder().runChecked('exec', 'first', 'id', '-u')).toBe('10001');
    expect(await builder().runChecked('exec', 'first', 'hostler', 'doctor')).toContain('is intact');
    expect(await builder().runChecked('inspect', '-f', '{{.Config.Healthcheck.Test}}', 'first')).toContain(
      'is-alive.js',
    );
    await builder().runChecked('stop', 'first');
    expect(await builder().runChecked('inspect', '-f', '{{.State.ExitCode}}', 'first')).toBe('0');

    await start('second');
    await waitUntil('the second container is healthy', () => isHealthy('second'), 60_000);
    expect((await client.listClusters()).body).toEqual(['web']);
    await builder().runChecked('stop', 'second');
  });
});

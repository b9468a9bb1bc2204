import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../programs/process.ts';
import { waitUntil } from '../wait-until.ts';
import { describeOnRealHosts } from './describe-on-real-hosts.ts';

/** Records the build, and finishes it when the file `go` exists. */
const BUILDER = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { buildCached } from './test/harness/real-hosts/build-cache.ts';
import { waitUntil } from './test/harness/wait-until.ts';
const { FOLDER, NAME } = process.env;
const folder = await buildCached({ name: 'thing', inputs: ['a'], build: async folder => {
  appendFileSync(FOLDER + '/builds', NAME + '\\n');
  await waitUntil('the go file exists', () => existsSync(FOLDER + '/go'));
  writeFileSync(folder + '/part', NAME);
} });
console.log('made ' + folder + ' end');
`;

describeOnRealHosts('buildCached', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-cached-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const cache = () => path.join(folder, 'cache');
  const builder = (name: string) =>
    runCommand(process.execPath, ['--input-type=module', '-e', BUILDER], {
      FOLDER: folder,
      NAME: name,
      HOSTLER_TEST_CACHE: cache(),
    });
  const builds = () => {
    try {
      return readFileSync(path.join(folder, 'builds'), 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };
  const go = () => runCommand('touch', [path.join(folder, 'go')], {}).ended;

  test('builds once if two processes request the same build', async () => {
    const both = [builder('one'), builder('other')];
    await waitUntil('a process builds', () => builds().length > 0);
    await go();
    const [first, second] = await Promise.all(both.map(each => each.waitForOutput(/made (\S+) end/)));
    expect([builds().length, first]).toEqual([1, second]);
    expect(readFileSync(path.join(first ?? '', 'part'), 'utf8')).toBe(builds()[0]);
  });

  test('restarts the build after a builder was killed', async () => {
    const killed = builder('killed');
    await waitUntil('the first process builds', () => builds().length === 1);
    const waiting = builder('waiting');
    await killed.kill('SIGKILL');
    await waitUntil('the waiting process builds', () => builds().length === 2);
    await go();
    expect(readFileSync(path.join(await waiting.waitForOutput(/made (\S+) end/), 'part'), 'utf8')).toBe('waiting');
    expect(readdirSync(cache()).filter(name => name.endsWith('unfinished'))).toEqual([]);
  });
});

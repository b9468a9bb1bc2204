import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../programs/process.ts';
import { until } from '../until.ts';
import { describeOnRealHosts } from './describe-on-real-hosts.ts';

/** Builds when it is told to by a file, and notes that it has. */
const BUILDER = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { cached } from './test/harness/hosts/cached.ts';
import { until } from './test/harness/until.ts';
const { FOLDER, NAME } = process.env;
const folder = await cached({ name: 'thing', ingredients: ['a'], build: async folder => {
  appendFileSync(FOLDER + '/builds', NAME + '\\n');
  await until('told to', () => existsSync(FOLDER + '/go'));
  writeFileSync(folder + '/part', NAME);
} });
console.log('made ' + folder + ' end');
`;

describeOnRealHosts('what is cached', () => {
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

  test('is built once by two who want it at once', async () => {
    const both = [builder('one'), builder('other')];
    await until('somebody builds', () => builds().length > 0);
    await go();
    const [first, second] = await Promise.all(both.map(each => each.says(/made (\S+) end/)));
    expect([builds().length, first]).toEqual([1, second]);
    expect(readFileSync(path.join(first ?? '', 'part'), 'utf8')).toBe(builds()[0]);
  });

  test('is built anew after somebody was killed in the middle', async () => {
    const killed = builder('killed');
    await until('it builds', () => builds().length === 1);
    const waiting = builder('waiting');
    await killed.kill('SIGKILL');
    await until('the other builds', () => builds().length === 2);
    await go();
    expect(readFileSync(path.join(await waiting.says(/made (\S+) end/), 'part'), 'utf8')).toBe('waiting');
    expect(readdirSync(cache()).filter(name => name.endsWith('unfinished'))).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../../../../test/harness/until.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import { optionsConform } from '../../options-conformance.ts';
import type { FixtureRecord } from '../conformance.ts';
import { hostSourceConforms } from '../conformance.ts';
import { file } from './file.ts';

optionsConform(file, {
  good: [['a path', { path: '/etc/hostler/hosts.yaml' }]],
  bad: [
    ['no path', {}, ['/path']],
    ['a path that depends on where the server was started', { path: 'hosts.yaml' }, ['/path']],
  ],
});

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-inventory-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NONSENSE = { os: 5, cpus: 'eight', memory: [], space: { KiB: 1 }, hostname: null };

const open = (name: string) =>
  file.open({ options: { path: path.join(folder, name) }, connections: new ConnectionPool() });

/** As most programs write files: another one gets the name. */
function put(name: string, text: string) {
  const target = path.join(folder, name);
  writeFileSync(`${target}.new`, text);
  renameSync(`${target}.new`, target);
}

const asJson = (records: Readonly<Record<string, FixtureRecord>>) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(records).map(([host, record]) => [host, record === 'nonsense' ? NONSENSE : record]),
    ),
  );

hostSourceConforms('file', async () => {
  let text = '{}';
  const write = async () => put('inventory', text);
  return {
    source: open('inventory'),
    setRecords: async records => {
      text = asJson(records);
      await write();
    },
    fail: async () => rmSync(path.join(folder, 'inventory')),
    recover: write,
    close: async () => {},
  };
});

const [HOST, V6] = ['127.0.0.1' as Address, '::1' as Address];

describe('an inventory', () => {
  test.each([
    ['YAML by address', "127.0.0.1: {cpus: 8}\n'0:0::1':\n  cpus: 2\nnot-an-address: {cpus: 3}\n"],
    ['YAML as a list', '- address: 127.0.0.1\n  cpus: 8\n- {address: "::1", cpus: 2}\n- {cpus: 3}\n'],
    ['JSON by address', '{"127.0.0.1": {"cpus": 8}, "::1": {"cpus": 2}}'],
    ['JSON as a list', ' [{"address": "127.0.0.1", "cpus": 8}, {"address": "::1", "cpus": 2}]'],
    ['YAML that begins as JSON does', '{127.0.0.1: {cpus: 8}, "::1": {cpus: 2}}'],
  ])('may be %s', async (_what, text) => {
    put('forms', text);
    expect(await open('forms').read([HOST, V6])).toEqual(
      new Map([
        [HOST, { cpus: 8 }],
        [V6, { cpus: 2 }],
      ]),
    );
  });

  test.each(['{}', '[]\n', '# none yet\n{}'])('may have no hosts, if it says so: %j', async text => {
    put('short', text);
    expect(await open('short').read([HOST])).toEqual(new Map());
  });

  test('may name hosts without a word of them', async () => {
    put('short', '127.0.0.1:\n');
    expect(await open('short').read([HOST])).toEqual(new Map([[HOST, {}]]));
  });

  test.each([
    ['no YAML', '127.0.0.1:\n  os: "hunter2\n', /is not valid YAML at line 3, column \d+ \(missing char\)/],
    ['a repeated key', '127.0.0.1: {}\n127.0.0.1: {os: hunter2}\n', /repeats a key at line 2, column 1/],
    ['a repeated host', '"::1": {}\n"0::1": {os: hunter2}\n', /contains two records for ::1/],
    ['an alias that leads nowhere', '127.0.0.1: *hunter2\n', /alias/],
    ['empty', '', /is empty: an inventory without hosts is {} or \[\]/],
    ['white space', ' \n\n', /is empty/],
    ['only comments', '# hunter2\n', /is empty/],
    ['a text', 'hunter2\n', /is not an inventory/],
    ['a list of texts', '- hunter2\n', /is not an inventory/],
    ['JSON that is cut off', '{"127.0.0.1": {"os": "hunter2', /is not valid YAML at line 1/],
  ])('that is %s is told without a word of it', async (_what, text, message) => {
    put('broken', text);
    const reading = open('broken').read([HOST]);
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.not.toThrow(/hunter2/);
    await expect(reading).rejects.toThrow(path.join(folder, 'broken'));
  });

  test('that is too large is not read', async () => {
    put('large', '{}');
    truncateSync(path.join(folder, 'large'), 16 * 1024 * 1024 + 1);
    await expect(open('large').read([HOST])).rejects.toThrow(
      /^path: \S+large is too large; the maximum is 16777216 bytes$/,
    );
    rmSync(path.join(folder, 'large'));
  });

  test('that is a pipe is refused, and not waited for', async () => {
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    await expect(open('pipe').read([HOST])).rejects.toThrow(/pipe is not a regular file/);
  });

  test('of many hosts keeps nobody waiting while it is parsed', async () => {
    const hosts = Array.from({ length: 600 }, (_, index) => `127.${index >> 8}.${index & 255}.1`);
    put('many', hosts.map(host => `${host}:\n  os: debian\n  cpus: 8\n`).join(''));
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 1);
    expect((await open('many').read(hosts as Address[])).size).toBe(600);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });

  test('that is long and broken is told like a short one', async () => {
    put('long', `${'#\n'.repeat(9000)}127.0.0.1: {\n`);
    await expect(open('long').read([HOST])).rejects.toThrow(/is not valid YAML at line 900\d/);
  });

  test('that is written in place, goes and comes back is told each time', async () => {
    put('watched', '{}');
    const [stopping, calls] = [new AbortController(), { count: 0 }];
    const watching = open('watched').watch?.(() => {
      calls.count += 1;
    }, stopping.signal);
    await until('it has begun', () => calls.count > 0);
    const target = path.join(folder, 'watched');
    for (const change of [
      () => writeFileSync(target, '{"127.0.0.1": {}}'),
      () => rmSync(target),
      () => put('watched', '{}'),
    ]) {
      const before = calls.count;
      change();
      await until('it is told', () => calls.count > before);
    }
    stopping.abort();
    await watching;
  });
});

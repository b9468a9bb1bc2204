import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import type { FixtureRecord } from '../../../../test/conformance/host-source.ts';
import { hostSourceConforms } from '../../../../test/conformance/host-source.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import { file } from './file.ts';

optionsConform(file, {
  good: [['a path', { path: '/etc/hostler/hosts.yaml' }]],
  bad: [
    ['no path', {}, ['/path']],
    ['a relative path', { path: 'hosts.yaml' }, ['/path']],
  ],
});

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-inventory-'));
afterAll(() => rmSync(folder, { recursive: true }));

const INVALID_RECORD = { os: 5, cpus: 'eight', memory: [], space: { KiB: 1 }, hostname: null };

const open = (name: string) =>
  file.open({ options: { path: path.join(folder, name) }, connections: new ConnectionPool() });

/** Replaces the file by a rename, as most programs do. */
function replaceFile(name: string, text: string) {
  const target = path.join(folder, name);
  writeFileSync(`${target}.new`, text);
  renameSync(`${target}.new`, target);
}

const toJson = (records: Readonly<Record<string, FixtureRecord>>) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(records).map(([host, record]) => [host, record === 'invalid' ? INVALID_RECORD : record]),
    ),
  );

hostSourceConforms('file', async () => {
  let text = '{}';
  const write = async () => replaceFile('inventory', text);
  return {
    source: open('inventory'),
    setRecords: async records => {
      text = toJson(records);
      await write();
    },
    fail: async () => rmSync(path.join(folder, 'inventory')),
    recover: write,
    close: async () => {},
  };
});

const [HOST, V6] = ['127.0.0.1' as Address, '::1' as Address];

describe('inventory file', () => {
  test.each([
    ['YAML by address', "127.0.0.1: {cpus: 8}\n'0:0::1':\n  cpus: 2\nnot-an-address: {cpus: 3}\n"],
    ['YAML as a list', '- address: 127.0.0.1\n  cpus: 8\n- {address: "::1", cpus: 2}\n- {cpus: 3}\n'],
    ['JSON by address', '{"127.0.0.1": {"cpus": 8}, "::1": {"cpus": 2}}'],
    ['JSON as a list', ' [{"address": "127.0.0.1", "cpus": 8}, {"address": "::1", "cpus": 2}]'],
    ['YAML in flow style', '{127.0.0.1: {cpus: 8}, "::1": {cpus: 2}}'],
  ])('can be %s', async (_label, text) => {
    replaceFile('forms', text);
    expect(await open('forms').read([HOST, V6])).toEqual(
      new Map([
        [HOST, { cpus: 8 }],
        [V6, { cpus: 2 }],
      ]),
    );
  });

  test.each(['{}', '[]\n', '# no hosts\n{}'])('can be empty if it is explicit: %j', async text => {
    replaceFile('short', text);
    expect(await open('short').read([HOST])).toEqual(new Map());
  });

  test('can contain hosts without facts', async () => {
    replaceFile('short', '127.0.0.1:\n');
    expect(await open('short').read([HOST])).toEqual(new Map([[HOST, {}]]));
  });

  test.each([
    ['invalid YAML', '127.0.0.1:\n  os: "hunter2\n', /is not valid YAML at line 3, column \d+ \(missing char\)/],
    ['a repeated key', '127.0.0.1: {}\n127.0.0.1: {os: hunter2}\n', /repeats a key at line 2, column 1/],
    ['a repeated host', '"::1": {}\n"0::1": {os: hunter2}\n', /contains two records for ::1/],
    ['an undefined alias', '127.0.0.1: *hunter2\n', /alias/],
    ['no content', '', /is empty: an inventory without hosts is {} or \[\]/],
    ['only whitespace', ' \n\n', /is empty/],
    ['only comments', '# hunter2\n', /is empty/],
    ['a string', 'hunter2\n', /is not an inventory/],
    ['a list of strings', '- hunter2\n', /is not an inventory/],
    ['truncated JSON', '{"127.0.0.1": {"os": "hunter2', /is not valid YAML at line 1/],
  ])('reports an error without quoting the content: %s', async (_label, text, message) => {
    replaceFile('broken', text);
    const reading = open('broken').read([HOST]);
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.not.toThrow(/hunter2/);
    await expect(reading).rejects.toThrow(path.join(folder, 'broken'));
  });

  test('is rejected if it is too large', async () => {
    replaceFile('large', '{}');
    truncateSync(path.join(folder, 'large'), 16 * 1024 * 1024 + 1);
    await expect(open('large').read([HOST])).rejects.toThrow(
      /^path: \S+large is too large; the maximum is 16777216 bytes$/,
    );
    rmSync(path.join(folder, 'large'));
  });

  test('is rejected without blocking if it is a pipe', async () => {
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    await expect(open('pipe').read([HOST])).rejects.toThrow(/pipe is not a regular file/);
  });

  test('is parsed without blocking the event loop if it has many hosts', async () => {
    const hosts = Array.from({ length: 600 }, (_, index) => `127.${index >> 8}.${index & 255}.1`);
    replaceFile('many', hosts.map(host => `${host}:\n  os: debian\n  cpus: 8\n`).join(''));
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 1);
    expect((await open('many').read(hosts as Address[])).size).toBe(600);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });

  test('reports the line of an error in a long file', async () => {
    replaceFile('long', `${'#\n'.repeat(9000)}127.0.0.1: {\n`);
    await expect(open('long').read([HOST])).rejects.toThrow(/is not valid YAML at line 900\d/);
  });

  test('reports each change when it is written in place, deleted and created again', async () => {
    replaceFile('watched', '{}');
    const [controller, calls] = [new AbortController(), { count: 0 }];
    const watching = open('watched').watch?.(() => {
      calls.count += 1;
    }, controller.signal);
    await waitUntil('watch started', () => calls.count > 0);
    const target = path.join(folder, 'watched');
    for (const change of [
      () => writeFileSync(target, '{"127.0.0.1": {}}'),
      () => rmSync(target),
      () => replaceFile('watched', '{}'),
    ]) {
      const before = calls.count;
      change();
      await waitUntil('change reported', () => calls.count > before);
    }
    controller.abort();
    await watching;
  });
});

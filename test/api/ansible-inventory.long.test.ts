// Runs Ansible with the inventory script of docs/guides/inventories.md.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTool, tryTool } from '../harness/programs/run-tool.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';

const PROGRAMS = ['ansible-inventory', 'curl'];
const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/inventories.md'), 'utf8');
const script = page.split('```sh\n')[1]?.split('```')[0] ?? '';

const [A, B, V6] = ['127.0.1.9', '127.0.1.10', '2001:db8::1'];

describeWithPrograms('ansible-inventory with the inventory script', PROGRAMS, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ansible-'));
  const file = path.join(folder, 'hostler.sh');
  const netrc = path.join(folder, 'netrc');
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
    const [name, password] = (await service.makeAccount('ansible', 'viewer', 'secret')).split(':');
    writeFileSync(file, script, { mode: 0o700 });
    writeFileSync(netrc, `machine 127.0.0.1 login ${name} password ${password}\n`, { mode: 0o600 });
    await service.put('/api/v0/cluster/web-1', { network: 'default' });
    await service.put('/api/v0/cluster/web_1', { network: 'default' });
    await service.makeHosts('active', 'web-1', A, B);
    await service.makeHosts('failed', undefined, V6);
    await service.put(`/api/v0/host/${A}/labels`, { 'example.com/role': 'db', spare: '', '1st': '2nd' });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    HOSTLER_URL: service.url,
    HOSTLER_NETRC: netrc,
    HOME: folder,
    ANSIBLE_INVENTORY_ENABLED: 'script',
    // An invalid group name is an error.
    ANSIBLE_TRANSFORM_INVALID_GROUP_CHARS: 'never',
    ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'true',
  });
  const runAnsibleInventory = (...args: string[]) =>
    tryTool(['ansible-inventory', '-i', file, ...args], { env: environment() });

  test('lists groups and hosts without warnings', async () => {
    const { exitCode, stdout, stderr } = await runAnsibleInventory('--list');
    expect([exitCode, stderr]).toEqual([0, '']);
    const { _meta, all, ...groups } = JSON.parse(stdout);
    expect(Object.keys(_meta.hostvars).sort()).toEqual([B, A, V6].sort());
    expect(groups).toEqual({
      status_active: { hosts: [A, B] },
      status_failed: { hosts: [V6] },
      cluster_web_1_c4719afa: { hosts: [A, B] },
      label_example_com_role_db: { hosts: [A] },
      label_spare: { hosts: [A] },
      label_1st_2nd: { hosts: [A] },
    });
    expect(all.children).toEqual(expect.arrayContaining(Object.keys(groups)));
  });

  test('returns the variables of each host', async () => {
    const { exitCode, stdout } = await runAnsibleInventory('--host', V6);
    const vars = JSON.parse(stdout);
    expect([exitCode, vars]).toEqual([
      0,
      {
        ansible_host: V6,
        ansible_port: 22,
        ansible_user: 'root',
        hostler_status: 'failed',
        hostler_os: '',
        hostler_cluster: '',
        hostler_labels: {},
      },
    ]);
    const output = await runTool([file, '--host', V6], { env: environment() });
    expect(JSON.parse(output)).toEqual(vars);
  });

  test('prints the graph of a group', async () => {
    const { exitCode, stdout } = await runAnsibleInventory('--graph', 'status_active');
    expect([exitCode, stdout]).toEqual([0, `@status_active:\n  |--${A}\n  |--${B}\n`]);
  });

  test('fails instead of returning an empty inventory when the password is wrong', async () => {
    writeFileSync(netrc, 'machine 127.0.0.1 login ansible password wrong\n');
    expect((await runAnsibleInventory('--list')).exitCode).not.toBe(0);
  });
});

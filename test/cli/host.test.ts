import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { OTHER_HOST_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import { createHome, describeCli } from '../harness/programs/cli.ts';
import { runSql } from '../harness/stores/stores.ts';

const FINGERPRINT = hostKeyFingerprint(OTHER_HOST_KEY);

describeCli('hostler host', {}, (run, service) => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
  });

  /** Creates the state that a health check stores after the host presented another key. */
  async function makeHostWithPendingKey(address: string) {
    await service().makeHosts('failed', undefined, address);
    await service().store.transaction(records =>
      records.hosts.setStatus([address as Address], 'failed', 'host_key_changed: another key'),
    );
    await runSql(
      service().database,
      `update host_access set pending_host_key = '${OTHER_HOST_KEY}' where host = '${address}'`,
    );
  }

  test('show prints a host and its next steps, and the API record as JSON', async () => {
    await service().makeHosts('unreachable', 'web', '127.9.1.1');
    await service().store.transaction(async records => {
      const host = await records.hosts.lock('127.9.1.1' as Address);
      const facts = {
        os: 'debian',
        cpus: 4,
        memoryKib: 8 * 1024 ** 2,
        spaceKib: 0,
        hostname: 'web-\u001b[31m1',
      };
      if (host) await records.hosts.update({ ...host, ...facts, reason: 'timed_out: no response' });
    });
    await run('host label 127.9.1.1 zone=a1 role=db');
    await run('host maintenance 127.9.1.1 on --reason "new disk"');
    const { stdout } = await run('host show 127.9.1.1');
    expect(stdout).toBe(
      [
        'hostname:     web-[31m1',
        'address:      127.9.1.1',
        'status:       unreachable',
        'reason:       timed_out: no response',
        'cluster:      web',
        'labels:       role=db, zone=a1',
        'maintenance:  new disk',
        'pending task: bootstrap',
        'os:           debian',
        'cpus:         4',
        'memory:       8.0 GiB',
        '',
      ].join('\n'),
    );
    const record = await service().get('/api/v0/host/127.9.1.1');
    expect(JSON.parse((await run('host show 127.9.1.1 -o json')).stdout)).toEqual({
      ...(record.body as object),
      ...{ hostname: 'web-\u001b[31m1', cluster: 'web', reason: 'timed_out: no response' },
      ...{ labels: { role: 'db', zone: 'a1' }, boots: 0 },
      ...{ maintenance: true, maintenance_reason: 'new disk', tasks: [expect.objectContaining({ kind: 'bootstrap' })] },
    });
    const report = await service().get('/api/v0/host/127.9.1.1/status');
    expect(JSON.parse((await run('host status 127.9.1.1 -o json')).stdout)).toEqual(report.body);
    expect((await run('host status 127.9.1.1')).stdout).toMatch(/^hostname: .*\ncontainer manager: +none\n$/s);
  });

  test('describe prints everything that show prints, with the uptime', async () => {
    await service().makeHosts('active', 'web', '127.9.1.9');
    await service().store.transaction(async records => {
      const host = await records.hosts.lock('127.9.1.9' as Address);
      const facts = { os: 'debian' as const, cpus: 4, memoryKib: 8 * 1024 ** 2, spaceKib: 1024 ** 3 };
      if (host) await records.hosts.update({ ...host, ...facts, bootedAt: '2026-11-12T08:00:00.000000' });
    });
    const clock = { ...systemClock, now: () => Date.parse('2026-11-15T12:00:00Z') };
    const shown = (await run('host show 127.9.1.9', { clock })).stdout;
    expect(shown).toContain('2026-11-12 08:00:00 UTC (up 3d 4h)\n');
    const described = (await run('host describe 127.9.1.9', { clock })).stdout.replaceAll(/: +/g, ': ');
    expect(described.split('\n')).toEqual(expect.arrayContaining(shown.replaceAll(/: +/g, ': ').split('\n')));
    expect(described).toMatch(
      /\nos: debian\ncpus: 4\nmemory: 8\.0 GiB\ndisk: 1\.0 TiB\nlast boot: .*\ncontainer manager: /s,
    );
    await service().store.transaction(records =>
      records.hosts.setStatus(['127.9.1.9' as Address], 'unreachable', 'timed_out: no response'),
    );
    expect((await run('host describe 127.9.1.9', { clock })).stdout).toContain('2026-11-12 08:00:00 UTC\n');
  });

  test('label sets and removes labels like kubectl', async () => {
    await service().makeHosts('active', undefined, '127.9.1.2');
    const steps: readonly [string, string][] = [
      ['zone=a1 role=db', 'Labels of host 127.9.1.2: role=db, zone=a1\n'],
      ['zone=a2 role-', 'Labels of host 127.9.1.2: zone=a2\n'],
      ['', 'zone: a2\n'],
      ['-o json', '{\n  "zone": "a2"\n}\n'],
      ['zone- never-', 'All labels of host 127.9.1.2 were removed.\n'],
      ['', ''],
    ];
    for (const [args, stdout] of steps)
      expect(await run(`host label 127.9.1.2 ${args}`), args).toMatchObject({ exitCode: 0, stdout });
  });

  test('maintenance turns maintenance on and off', async () => {
    await service().makeHosts('active', undefined, '127.9.1.3');
    const steps: readonly [string, string][] = [
      ['', 'Host 127.9.1.3 is not in maintenance.\n'],
      ['on --reason "new disk"', 'Host 127.9.1.3 is in maintenance (new disk).\n'],
      ['', 'Host 127.9.1.3 is in maintenance (new disk).\n'],
      ['off', 'Host 127.9.1.3 is not in maintenance.\n'],
    ];
    for (const [args, stdout] of steps)
      expect(await run(`host maintenance 127.9.1.3 ${args}`), args).toMatchObject({ exitCode: 0, stdout });
  });

  test('accept-key accepts a key after a prompt or by its fingerprint', async () => {
    await makeHostWithPendingKey('127.9.1.4');
    const shown = (await run('host show 127.9.1.4')).stdout;
    expect(shown).toContain(`accept with:      hostler host accept-key 127.9.1.4 ${FINGERPRINT}\n`);
    expect(shown).not.toContain('After you fix this');
    const withoutTerminal = await run('host accept-key 127.9.1.4');
    expect(withoutTerminal).toMatchObject({ exitCode: 2, stdout: '' });
    expect(withoutTerminal.stderr).toContain(
      `If it is the same, run: hostler host accept-key 127.9.1.4 ${FINGERPRINT}\n`,
    );
    const declined = await run('host accept-key 127.9.1.4', { promptAnswers: ['n'] });
    expect(declined).toMatchObject({ exitCode: 1, prompts: ['Accept the pending host key? [y/N] '] });
    expect(declined.stderr).toContain(`Host 127.9.1.4 has a pending host key: ssh-ed25519 ${FINGERPRINT}\n`);
    expect(await run('host accept-key 127.9.1.4', { promptAnswers: ['y'] })).toMatchObject({
      exitCode: 0,
      stdout: `host key ${FINGERPRINT} of host 127.9.1.4 accepted, bootstrap restarted\n`,
    });
    expect(await run('host accept-key 127.9.1.4')).toMatchObject({ exitCode: 4 });
    await makeHostWithPendingKey('127.9.1.5');
    expect(await run(`host accept-key 127.9.1.5 ${FINGERPRINT}`)).toMatchObject({ exitCode: 0 });
  });

  test('retry restarts several hosts and prints the rejected ones', async () => {
    await service().makeHosts('failed', undefined, '127.9.1.6', '127.9.1.7');
    expect((await run('host show 127.9.1.6')).stdout).toContain('\nAfter you fix this: hostler host retry 127.9.1.6\n');
    const result = await run('host retry 127.9.1.6 127.9.9.9 127.9.1.7');
    expect(result).toMatchObject({
      exitCode: 4,
      stdout: 'bootstrap of host 127.9.1.6 restarted\nbootstrap of host 127.9.1.7 restarted\n',
    });
    expect(result.stderr).toMatch(
      /^hostler: 127\.9\.9\.9: the host 127\.9\.9\.9 does not exist\. See: hostler host list .*\nhostler: failed for 1 of 3/,
    );
    const json = JSON.parse((await run('host retry 127.9.1.6 127.9.1.7 -o json')).stdout);
    expect(json).toMatchObject([{ address: '127.9.1.6' }, { address: '127.9.1.7' }]);
    const single = JSON.parse((await run('host retry 127.9.1.6 -o json')).stdout);
    expect(single).toMatchObject([{ address: '127.9.1.6' }]);
  });

  test('remove asks before it removes hosts', async () => {
    await service().makeHosts('active', undefined, '127.9.1.8', '127.9.1.9');
    const line = 'host remove 127.9.1.8 127.9.1.9';
    expect(await run(line)).toMatchObject({ exitCode: 2 });
    expect(await run(line, { promptAnswers: [''] })).toMatchObject({
      exitCode: 1,
      prompts: [
        'Remove 2 hosts (127.9.1.8, 127.9.1.9)? This also removes their cluster membership and credentials. [y/N] ',
      ],
    });
    expect(await run(`${line} --yes`)).toMatchObject({
      exitCode: 0,
      stdout: 'host 127.9.1.8 removed\nhost 127.9.1.9 removed\n',
    });
    expect(await run('host remove 127.9.1.8 -y')).toMatchObject({ exitCode: 5 });
    await service().makeHosts('active', undefined, '127.9.1.8');
    const json = await run('host remove 127.9.1.8 -y -o json');
    expect(JSON.parse(json.stdout)).toEqual(['127.9.1.8']);
  });

  test('creds prints the private key only on request', async () => {
    await service().makeHosts('active', undefined, '127.9.1.10');
    const shown = await run('host creds 127.9.1.10');
    expect(shown.stdout).toMatch(/^user: root\nkey: {2}\d+ bytes; write it to a file with --key-out FILE/);
    expect(JSON.parse((await run('host creds 127.9.1.10 -o json')).stdout)).toEqual({
      ssh_priv_key: PRIVATE_KEY,
      remote_user: 'root',
    });
    const file = path.join(await createHome(), 'key');
    expect(await run(`host creds 127.9.1.10 --key-out ${file}`)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(readFileSync(file).toString('base64')).toBe(PRIVATE_KEY);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run(`host creds 127.9.1.10 --key-out ${file}`)).toMatchObject({ exitCode: 2 });
    const printed = await run('host creds 127.9.1.10 --key-out -');
    expect(Buffer.from(printed.stdout).toString('base64')).toBe(PRIVATE_KEY);
    // This server connects to no hosts, so it cannot test the credentials.
    writeFileSync(file, Buffer.from(PRIVATE_KEY, 'base64'));
    const set = await run(`host creds 127.9.1.10 --set ${file} --remote-user core`);
    expect(set).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('(host_unreachable,') });
  });

  test('ssh does not connect to a host without a known host key', async () => {
    await service().makeHosts('investigating', undefined, '127.9.1.11');
    const result = await run('host ssh 127.9.1.11');
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toMatch(/the host key of 127\.9\.1\.11 is not known yet/);
  });

  test.each<[string, number, RegExp]>([
    ['host show 127.9.9.9', 5, /the host 127\.9\.9\.9 does not exist/],
    ['host status 127.9.9.9', 5, /the host 127\.9\.9\.9 does not exist/],
    ...['show', 'status', 'ssh', 'creds', 'accept-key', 'label', 'maintenance', 'retry', 'remove -y'].map(
      (verb): [string, number, RegExp] => [
        `host ${verb} nowhere`,
        5,
        /no host has the address or hostname nowhere\. See: hostler host list/,
      ],
    ),
    ['host ssh 127.9.9.9', 5, /the host 127\.9\.9\.9 does not exist/],
    ['host list --label =x', 2, /argument '=x' is invalid\. It must be key=value or key\. The key must be/],
    ['host list --os foo', 4, /^hostler: --os must be one of debian, /],
    ['host label 127.9.9.9 a', 2, /invalid label "a": use key=value to set a label, key- to remove it/],
    ['host label 127.9.9.9 a=b a-', 2, /label "a" is given twice/],
    ['host label 127.9.9.9 _a=b', 2, /invalid label "_a=b": the key must be/],
    ['host label 127.9.9.9 a=_', 2, /invalid label "a=_": the value must be/],
    ['host maintenance 127.9.9.9 maybe', 2, /Allowed choices are on, off/],
    ['host maintenance 127.9.9.9 off --reason x', 2, /--reason requires "on"/],
    ['host creds 127.9.9.9 --remote-user x', 2, /--remote-user requires --set/],
    ['host creds 127.9.9.9 --set a --key-out b', 2, /--set and --key-out cannot be combined/],
    ['host retry', 2, /missing required argument 'hosts'/],
    ['host', 2, /Usage: hostler host/],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await run(line);
    expect(result).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(stderr) });
  });
});

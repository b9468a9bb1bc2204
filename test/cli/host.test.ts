import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { OTHER_HOST_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { describeCli, makeHome } from '../harness/programs/cli.ts';
import { runSql } from '../harness/stores/stores.ts';

const FINGERPRINT = hostKeyFingerprint(OTHER_HOST_KEY);

describeCli('hostler host', {}, (run, service) => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
  });

  /** A host that shows another key than it did, as a check would find it. */
  async function makeDistrusted(address: string) {
    await service().makeHosts('failed', undefined, address);
    await service().store.transaction(records =>
      records.hosts.setStatus([address as Address], 'failed', 'host_key_changed: it shows another'),
    );
    await runSql(
      service().place,
      `update host_access set pending_host_key = '${OTHER_HOST_KEY}' where host = '${address}'`,
    );
  }

  test('shows a host with what can be done for it, and programs its record', async () => {
    await service().makeHosts('unreachable', 'web', '127.9.1.1');
    await service().store.transaction(async records => {
      const known = await records.hosts.lock('127.9.1.1' as Address);
      const facts = {
        os: 'debian',
        cpus: 4,
        memoryKib: 8 * 1024 ** 2,
        spaceKib: 0,
        hostname: 'web-\u001b[31m1',
      };
      if (known) await records.hosts.update({ ...known, ...facts, reason: 'timed_out: no answer' });
    });
    await run('host label 127.9.1.1 zone=a1 role=db');
    await run('host maintenance 127.9.1.1 on --reason "new disk"');
    const { stdout } = await run('host show 127.9.1.1');
    expect(stdout).toBe(
      [
        'address:      127.9.1.1',
        'hostname:     web-[31m1',
        'status:       unreachable',
        'reason:       timed_out: no answer',
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
    expect(JSON.parse((await run('host show 127.9.1.1 -o json')).stdout)).toEqual(record.body);
    const report = await service().get('/api/v0/host/127.9.1.1/status');
    expect(JSON.parse((await run('host status 127.9.1.1 -o json')).stdout)).toEqual(report.body);
    expect((await run('host status 127.9.1.1')).stdout).toMatch(
      /^hostname: .*\ncontainer manager: +none\n$/s,
    );
  });

  test('labels a host as kubectl would', async () => {
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

  test('takes a host out of service and back', async () => {
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

  test('accepts a key that a person has seen, or names', async () => {
    await makeDistrusted('127.9.1.4');
    const shown = (await run('host show 127.9.1.4')).stdout;
    expect(shown).toContain(`accept with:      hostler host accept-key 127.9.1.4 ${FINGERPRINT}\n`);
    expect(shown).not.toContain('After you fix this');
    const unasked = await run('host accept-key 127.9.1.4');
    expect(unasked).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unasked.stderr).toContain(
      `If it is the same, run: hostler host accept-key 127.9.1.4 ${FINGERPRINT}\n`,
    );
    const no = await run('host accept-key 127.9.1.4', { answers: ['n'] });
    expect(no).toMatchObject({ exitCode: 1, asked: ['Accept the pending host key? [y/N] '] });
    expect(no.stderr).toContain(`Host 127.9.1.4 has a pending host key: ssh-ed25519 ${FINGERPRINT}\n`);
    expect(await run('host accept-key 127.9.1.4', { answers: ['y'] })).toMatchObject({
      exitCode: 0,
      stdout: `host key ${FINGERPRINT} of host 127.9.1.4 accepted, bootstrap restarted\n`,
    });
    expect(await run('host accept-key 127.9.1.4')).toMatchObject({ exitCode: 4 });
    await makeDistrusted('127.9.1.5');
    expect(await run(`host accept-key 127.9.1.5 ${FINGERPRINT}`)).toMatchObject({ exitCode: 0 });
  });

  test('begins anew with several hosts, and tells which were refused', async () => {
    await service().makeHosts('failed', undefined, '127.9.1.6', '127.9.1.7');
    expect((await run('host show 127.9.1.6')).stdout).toContain(
      '\nAfter you fix this: hostler host retry 127.9.1.6\n',
    );
    const ran = await run('host retry 127.9.1.6 127.9.9.9 127.9.1.7');
    expect(ran).toMatchObject({
      exitCode: 4,
      stdout: 'bootstrap of host 127.9.1.6 restarted\nbootstrap of host 127.9.1.7 restarted\n',
    });
    expect(ran.stderr).toMatch(
      /^hostler: 127\.9\.9\.9: the host 127\.9\.9\.9 does not exist\. See: hostler host list .*\nhostler: failed for 1 of 3/,
    );
    const json = JSON.parse((await run('host retry 127.9.1.6 127.9.1.7 -o json')).stdout);
    expect(json).toMatchObject([{ address: '127.9.1.6' }, { address: '127.9.1.7' }]);
    const one = JSON.parse((await run('host retry 127.9.1.6 -o json')).stdout);
    expect(one).toMatchObject([{ address: '127.9.1.6' }]);
  });

  test('removes hosts, and asks before', async () => {
    await service().makeHosts('active', undefined, '127.9.1.8', '127.9.1.9');
    const line = 'host remove 127.9.1.8 127.9.1.9';
    expect(await run(line)).toMatchObject({ exitCode: 2 });
    expect(await run(line, { answers: [''] })).toMatchObject({
      exitCode: 1,
      asked: [
        'Remove 2 hosts (127.9.1.8, 127.9.1.9)? This also removes their cluster membership and credentials. [y/N] ',
      ],
    });
    expect(await run(`${line} --yes`)).toMatchObject({
      exitCode: 0,
      stdout: 'host 127.9.1.8 removed\nhost 127.9.1.9 removed\n',
    });
    expect(await run('host remove 127.9.1.8 -y')).toMatchObject({ exitCode: 4 });
    await service().makeHosts('active', undefined, '127.9.1.8');
    const json = await run('host remove 127.9.1.8 -y -o json');
    expect(JSON.parse(json.stdout)).toEqual(['127.9.1.8']);
  });

  test('hands out credentials without showing the key by chance', async () => {
    await service().makeHosts('active', undefined, '127.9.1.10');
    const shown = await run('host creds 127.9.1.10');
    expect(shown.stdout).toMatch(/^user: root\nkey: {2}\d+ bytes; write it to a file with --key-out FILE/);
    expect(JSON.parse((await run('host creds 127.9.1.10 -o json')).stdout)).toEqual({
      ssh_priv_key: PRIVATE_KEY,
      remote_user: 'root',
    });
    const file = path.join(await makeHome(), 'key');
    expect(await run(`host creds 127.9.1.10 --key-out ${file}`)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(readFileSync(file).toString('base64')).toBe(PRIVATE_KEY);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run(`host creds 127.9.1.10 --key-out ${file}`)).toMatchObject({ exitCode: 2 });
    const out = await run('host creds 127.9.1.10 --key-out -');
    expect(Buffer.from(out.stdout).toString('base64')).toBe(PRIVATE_KEY);
    // This service reaches no hosts, so it cannot try them.
    writeFileSync(file, Buffer.from(PRIVATE_KEY, 'base64'));
    const set = await run(`host creds 127.9.1.10 --set ${file} --remote-user core`);
    expect(set).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('(host_unreachable,') });
  });

  test('does not log in to a host whose key is not known', async () => {
    await service().makeHosts('investigating', undefined, '127.9.1.11');
    const ran = await run('host ssh 127.9.1.11');
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toMatch(/the host key of 127\.9\.1\.11 is not known yet/);
  });

  test.each<[string, number, RegExp]>([
    ['host show 127.9.9.9', 4, /the host 127\.9\.9\.9 does not exist/],
    ['host status 127.9.9.9', 4, /the host 127\.9\.9\.9 does not exist/],
    ...['show', 'status', 'ssh', 'creds', 'accept-key', 'label', 'maintenance', 'retry', 'remove -y'].map(
      (verb): [string, number, RegExp] => [
        `host ${verb} nowhere`,
        2,
        /'nowhere' is not an IP address\. Find the address with: hostler host list/,
      ],
    ),
    ['host ssh 127.9.9.9', 4, /the host 127\.9\.9\.9 does not exist/],
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
    ['host retry', 2, /missing required argument 'addresses'/],
    ['host', 2, /Usage: hostler host/],
  ])('%s ends with %i', async (line, exitCode, stderr) => {
    const ran = await run(line);
    expect(ran).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(stderr) });
  });
});

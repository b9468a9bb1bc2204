// The simulators of rpm-ostree and bootc behave as the real tools, as far as Hostler depends on it. The
// simulator scripts name the sources.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { bootc } from '../../../src/drivers/os/bootc/bootc.ts';
import { factsQuery } from '../../../src/drivers/os/facts.ts';
import { osDrivers } from '../../../src/drivers/os/index.ts';
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from './describe-on-real-hosts.ts';
import { COREOS_VERSIONS } from './light-host-layers.ts';
import { BOOTC_VERSIONS } from './ostree-image.ts';
import { startSystemdHost } from './start-systemd-host.ts';
import type { SystemdHost } from './systemd-host.ts';
import { startUpdateDriver } from './systemd-host.ts';

const DRIVER_ERROR = `error: Updates and deployments are driven by Zincati (zincati.service)
See Zincati's documentation at https://github.com/coreos/zincati
Use --bypass-driver to bypass Zincati and perform the operation anyways
`;

describeOnSystemdHosts('rpm-ostree simulator', () => {
  const [, second] = COREOS_VERSIONS;
  let host: SystemdHost;
  beforeAll(async () => {
    host = await startSystemdHost({ kind: 'ostree' });
  }, IMAGE_BUILD_MS);
  afterAll(() => host?.stop());

  const rpmOstree = (...args: string[]) => host.run(['rpm-ostree', ...args]);
  const status = async () => JSON.parse((await rpmOstree('status', '--json')).stdout);

  test.each<[string, string[], number, string]>([
    ['an unknown version', ['deploy', 'version=1.2'], 1, 'error: Version 1.2 not found in fedora:fedora/stable\n'],
    ['a missing revision', ['deploy'], 1, 'error: REVISION must be specified\n'],
    ['an unknown option', ['upgrade', '--sooner'], 1, 'error: Unknown option --sooner\n'],
    [
      'finalizing without a staged deployment',
      ['finalize-deployment', 'a'.repeat(64)],
      1,
      'error: No pending staged deployment found\n',
    ],
  ])('rejects %s', async (_case, args, exitCode, stderr) => {
    expect(await rpmOstree(...args)).toMatchObject({ exitCode, stderr });
  });

  test('rejects upgrades while another update driver is active, unless bypassed', async () => {
    await startUpdateDriver(host);
    expect((await status())['update-driver']).toEqual({
      'driver-name': 'Zincati',
      'driver-sd-unit': 'zincati.service',
    });
    for (const args of [['upgrade'], ['deploy', `version=${second}`]])
      expect(await rpmOstree(...args)).toMatchObject({ exitCode: 1, stderr: DRIVER_ERROR });
    const staged = await rpmOstree('deploy', '--lock-finalization', '--bypass-driver', `version=${second}`);
    expect([staged.exitCode, staged.stdout]).toEqual([0, expect.stringContaining(`'${second}'`)]);
    await host.runChecked(['systemctl', 'stop', 'zincati.service']);
    expect(await rpmOstree('deploy', '--unchanged-exit-77', `version=${second}`)).toMatchObject({
      exitCode: 77,
    });
  });

  test('reports staged and locked deployments, and finalizes only the staged checksum', async () => {
    const [staged, booted] = (await status()).deployments;
    expect([staged.version, staged.staged, staged['finalization-locked']]).toEqual([second, true, true]);
    expect([booted.booted, 'finalization-locked' in booted]).toEqual([true, false]);
    expect(await rpmOstree('finalize-deployment', booted.checksum)).toMatchObject({
      exitCode: 1,
      stderr: `error: Expected staged base checksum ${booted.checksum}, but found ${staged.checksum}\n`,
    });
    await host.runChecked(['rm', '/run/ostree/staged-deployment-locked']);
    expect(await rpmOstree('finalize-deployment', staged.checksum)).toMatchObject({
      exitCode: 1,
      stderr: 'error: Staged deployment already unlocked\n',
    });
  });
});

describeOnSystemdHosts('bootc simulator', () => {
  const [first, second, third] = BOOTC_VERSIONS;
  const image = (tag: string) => `registry.test/os:${tag}`;
  let host: SystemdHost;
  beforeAll(async () => {
    host = await startSystemdHost({ kind: 'bootc' });
  }, IMAGE_BUILD_MS);
  afterAll(() => host?.stop());

  const runAll = async (commands: readonly Argv[] = []) => {
    for (const argv of commands) await host.runChecked(argv);
  };
  const deployments = async () => {
    const query = bootc.image?.deployments;
    const { exitCode, stdout } = await host.run(query?.argv ?? ['false']);
    return query?.parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from('') });
  };
  const versions = async () => {
    const { booted, staged } = (await deployments()) ?? {};
    return [booted?.version, staged?.version];
  };

  test('a host is detected as bootc by its facts', async () => {
    const query = factsQuery(osDrivers);
    const { exitCode, stdout } = await host.run(query.argv);
    const facts = query.parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from('') });
    expect([facts?.os, facts?.osDriver]).toEqual(['atomic', 'bootc']);
    expect(await host.state()).toBe('running');
  });

  test('reports an unknown image', async () => {
    expect(await host.run(['bootc', 'switch', '--', image('none')])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^ERROR Switching: .*manifest unknown\n$/),
    });
  });

  test('drops a locked deployment when the host reboots', async () => {
    await runAll(bootc.image?.stage(image(second)));
    expect(await versions()).toEqual([first, second]);
    await host.reboot();
    expect(await versions()).toEqual([first, undefined]);
  });

  test('boots an unlocked deployment and follows its image from then on', async () => {
    await runAll(bootc.image?.stage(image(second)));
    const staged = (await deployments())?.staged;
    if (!staged) throw new Error('nothing is staged');
    await runAll(bootc.image?.finalize(staged).commands);
    await host.reboot();
    expect((await deployments())?.booted).toEqual({ ...staged, image: image(second) });
    // The staged image is already booted and its tag has not moved.
    await runAll(bootc.image?.stage(image(second)));
    expect(await versions()).toEqual([second, undefined]);
  });

  test('finds an image by its digest', async () => {
    await runAll(bootc.image?.stage(image(third)));
    const digest = (await deployments())?.staged?.checksum;
    const output = await host.runChecked(['bootc', 'switch', '--', `registry.test/os@${digest}`]);
    expect(output).toContain(`Version: ${third}`);
  });
});

// The doubles of rpm-ostree and bootc behave as the real ones do, as far as Hostler goes by it. Where each of it is from stands at the
// head of the doubles.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { bootc } from '../../../src/drivers/os/bootc/bootc.ts';
import { factsQuery } from '../../../src/drivers/os/facts.ts';
import { osDrivers } from '../../../src/drivers/os/index.ts';
import { describeOnSystemdHosts } from './describe-on-real-hosts.ts';
import { COREOS_VERSIONS } from './identities.ts';
import { BOOTC_VERSIONS } from './ostree-image.ts';
import { startSystemdHost } from './start-systemd-host.ts';
import { startUpdateDriver } from './start-update-driver.ts';
import type { SystemdHost } from './systemd-host.ts';

/** The images are built by the first who needs them. */
const BUILD_MS = 900_000;
const TEST_MS = 120_000;

const DRIVEN = `error: Updates and deployments are driven by Zincati (zincati.service)
See Zincati's documentation at https://github.com/coreos/zincati
Use --bypass-driver to bypass Zincati and perform the operation anyways
`;

describeOnSystemdHosts('the double of rpm-ostree', () => {
  const [, second] = COREOS_VERSIONS;
  let host: SystemdHost;
  beforeAll(async () => {
    host = await startSystemdHost({ kind: 'ostree' });
  }, BUILD_MS);
  afterAll(() => host?.stop());

  const rpmOstree = (...args: string[]) => host.run(['rpm-ostree', ...args]);
  const status = async () => JSON.parse((await rpmOstree('status', '--json')).stdout);

  test.each<[string, string[], number, string]>([
    [
      'a version that is not there',
      ['deploy', 'version=1.2'],
      1,
      'error: Version 1.2 not found in fedora:fedora/stable\n',
    ],
    ['no revision', ['deploy'], 1, 'error: REVISION must be specified\n'],
    ['an option that it has not', ['upgrade', '--sooner'], 1, 'error: Unknown option --sooner\n'],
    [
      'to finalize nothing',
      ['finalize-deployment', 'a'.repeat(64)],
      1,
      'error: No pending staged deployment found\n',
    ],
  ])('refuses %s', async (_what, args, exitCode, stderr) => {
    expect(await rpmOstree(...args)).toMatchObject({ exitCode, stderr });
  });

  test('refuses whoever is not the registered driver, unless that is bypassed or has stopped', {
    timeout: TEST_MS,
  }, async () => {
    await startUpdateDriver(host);
    expect((await status())['update-driver']).toEqual({
      'driver-name': 'Zincati',
      'driver-sd-unit': 'zincati.service',
    });
    for (const args of [['upgrade'], ['deploy', `version=${second}`]])
      expect(await rpmOstree(...args)).toMatchObject({ exitCode: 1, stderr: DRIVEN });
    const staged = await rpmOstree('deploy', '--lock-finalization', '--bypass-driver', `version=${second}`);
    expect([staged.exitCode, staged.stdout]).toEqual([0, expect.stringContaining(`'${second}'`)]);
    await host.must(['systemctl', 'stop', 'zincati.service']);
    expect(await rpmOstree('deploy', '--unchanged-exit-77', `version=${second}`)).toMatchObject({
      exitCode: 77,
    });
  });

  test('tells what is staged and locked, and finalizes only what it is told', async () => {
    const [staged, booted] = (await status()).deployments;
    expect([staged.version, staged.staged, staged['finalization-locked']]).toEqual([second, true, true]);
    expect([booted.booted, 'finalization-locked' in booted]).toEqual([true, false]);
    expect(await rpmOstree('finalize-deployment', booted.checksum)).toMatchObject({
      exitCode: 1,
      stderr: `error: Expected staged base checksum ${booted.checksum}, but found ${staged.checksum}\n`,
    });
    await host.must(['rm', '/run/ostree/staged-deployment-locked']);
    expect(await rpmOstree('finalize-deployment', staged.checksum)).toMatchObject({
      exitCode: 1,
      stderr: 'error: Staged deployment already unlocked\n',
    });
  });
});

describeOnSystemdHosts('the double of bootc', () => {
  const [first, second, third] = BOOTC_VERSIONS;
  const image = (tag: string) => `registry.test/os:${tag}`;
  let host: SystemdHost;
  beforeAll(async () => {
    host = await startSystemdHost({ kind: 'bootc' });
  }, BUILD_MS);
  afterAll(() => host?.stop());

  const all = async (commands: readonly Argv[] = []) => {
    for (const argv of commands) await host.must(argv);
  };
  const deployments = async () => {
    const question = bootc.image?.deployments;
    const { exitCode, stdout } = await host.run(question?.argv ?? ['false']);
    return question?.parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from('') });
  };
  const versions = async () => {
    const { booted, staged } = (await deployments()) ?? {};
    return [booted?.version, staged?.version];
  };

  test('makes a host that is one of bootc by its facts', async () => {
    const question = factsQuery(osDrivers);
    const { exitCode, stdout } = await host.run(question.argv);
    const facts = question.parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from('') });
    expect([facts?.os, facts?.osDriver]).toEqual(['atomic', 'bootc']);
    expect(await host.state()).toBe('running');
  });

  test('says what it cannot find', async () => {
    expect(await host.run(['bootc', 'switch', '--', image('none')])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^ERROR Switching: .*manifest unknown\n$/),
    });
  });

  test('drops what is locked when the host reboots by itself', { timeout: TEST_MS }, async () => {
    await all(bootc.image?.stage(image(second)));
    expect(await versions()).toEqual([first, second]);
    await host.reboot();
    expect(await versions()).toEqual([first, undefined]);
  });

  test('boots what is unlocked, and follows the image from then on', { timeout: TEST_MS }, async () => {
    await all(bootc.image?.stage(image(second)));
    const staged = (await deployments())?.staged;
    if (!staged) throw new Error('nothing is staged');
    await all(bootc.image?.finalize(staged).commands);
    await host.reboot();
    expect((await deployments())?.booted).toEqual({ ...staged, image: image(second) });
    // Asked for again it is as it was, and its tag has not moved.
    await all(bootc.image?.stage(image(second)));
    expect(await versions()).toEqual([second, undefined]);
  });

  test('finds an image by its digest', { timeout: TEST_MS }, async () => {
    await all(bootc.image?.stage(image(third)));
    const digest = (await deployments())?.staged?.checksum;
    const said = await host.must(['bootc', 'switch', '--', `registry.test/os@${digest}`]);
    expect(said).toContain(`Version: ${third}`);
  });
});

// The connection is cut in the middle of a package upgrade, on whole systems with real package managers: the upgrade goes on, is
// found again from another connection, and has run once.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { Secret } from '../../src/domain/secret.ts';
import { apt } from '../../src/drivers/os/apt/apt.ts';
import { dnf } from '../../src/drivers/os/dnf/dnf.ts';
import type { OsDriver } from '../../src/drivers/os/os-driver.ts';
import { createSshTransport } from '../../src/drivers/transport/ssh/ssh-transport.ts';
import { FencedHostConnection } from '../../src/engine/host-connection.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { runJobs } from '../../src/procedures/run-commands.ts';
import { describeOnSystemdHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/hosts/login-key.ts';
import { TOY_HOLD } from '../harness/hosts/package-repositories.ts';
import { packageServer } from '../harness/hosts/package-server.ts';
import { startSystemdHost } from '../harness/hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/hosts/systemd-host.ts';
import type { SystemdKind } from '../harness/hosts/systemd-kinds.ts';
import { until } from '../harness/until.ts';
import { FIRST_BUILD_MS } from './host-status.ts';

const TEST_MS = 180_000;
const UPGRADE_MS = 120_000;

const transport = createSshTransport();
const lease = { signal: new AbortController().signal, isHeld: () => true, assertHeld: () => {} };

/** What each has of packages, and how it tells what it did. */
const SYSTEMS: Readonly<
  Record<
    'apt' | 'dnf',
    { driver: OsDriver; isWaiting: string; countUpgrades: readonly [string, ...string[]] }
  >
> = {
  apt: {
    driver: apt,
    isWaiting: 'toyd.postinst',
    countUpgrades: ['grep', '-c', ' upgrade toyd:', '/var/log/dpkg.log'],
  },
  dnf: {
    driver: dnf,
    isWaiting: '/var/tmp/rpm-tmp',
    countUpgrades: ['sh', '-c', 'dnf history list toyd | grep -c upgrade'],
  },
};

describeOnSystemdHosts('a package upgrade whose connection is cut', () => {
  describe.each(['apt', 'dnf'] satisfies SystemdKind[])('with %s', kind => {
    const { driver, isWaiting, countUpgrades } = SYSTEMS[kind];
    let host: SystemdHost;
    beforeAll(async () => {
      host = await startSystemdHost({ kind, users: [{ name: 'core', shell: '/bin/bash', sudo: 'free' }] });
      const packages = await packageServer();
      packages.offer('1.0');
      const install = driver.install(kind === 'dnf' ? ['fedora-release', 'toyd'] : ['toyd']) ?? [];
      for (const argv of install) await host.must(argv);
      packages.offer('2.0');
      for (const argv of driver.upgrade.stage) await host.must(argv);
      await host.write(TOY_HOLD, '');
    }, FIRST_BUILD_MS);
    afterAll(() => host?.stop());

    const linkTo = async () => {
      const { privateKeyBase64 } = await loginKey();
      const { address, port, hostKey } = host;
      return new FencedHostConnection({ transport, lease, connectTimeoutMs: 10_000 }, async () => ({
        address: address as Address,
        port,
        user: 'core',
        privateKey: new Secret(privateKeyBase64),
        hostKeys: [hostKey],
      }));
    };
    const upgrade = async () => {
      const connection = await linkTo();
      const outcome = await runJobs(
        {
          connection,
          jobPrefix: `upgrade-${kind}-1`,
          clock: systemClock,
          onOutput: () => {},
          onJobEnd: () => {},
        },
        driver.upgrade.apply,
        UPGRADE_MS,
      );
      connection.close();
      return outcome;
    };
    const version = () => host.read('/usr/share/toyd/version');

    test('goes on, is found again, and has run once', { timeout: TEST_MS }, async () => {
      const first = upgrade();
      await until('the script of the package waits', async () => {
        return (await host.run(['pgrep', '-f', isWaiting])).exitCode === 0;
      });
      await host.cut();
      expect(await first).toMatchObject({ kind: 'retry', problem: expect.stringMatching(/^unreachable: /) });
      // Another server would do the same: it finds the job under its name, and waits for it.
      const second = upgrade();
      const third = upgrade();
      await host.must(['rm', TOY_HOLD]);
      expect(await Promise.all([second, third])).toEqual([undefined, undefined]);
      expect(await version()).toBe('2.0\n');
      expect((await host.must(countUpgrades)).trim()).toBe('1');
      // And once more, long after: the code is still there, and nothing is run.
      expect(await upgrade()).toBeUndefined();
      expect((await host.must(countUpgrades)).trim()).toBe('1');
    });

    test('belongs to no login: systemd runs it', async () => {
      const log = await host.must(['journalctl', '--no-pager', '-u', `hostler-upgrade-${kind}-1-*`]);
      expect(log).toMatch(/Started/);
    });
  });
});

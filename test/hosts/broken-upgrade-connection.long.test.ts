// The connection breaks during a package upgrade on hosts with real package managers. The upgrade continues,
// another connection finds it, and it runs once.

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
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/real-hosts/host-access.ts';
import { INSTALL_BLOCK_FILE } from '../harness/real-hosts/package-repositories.ts';
import { packageServer } from '../harness/real-hosts/package-server.ts';
import { startSystemdHost } from '../harness/real-hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/real-hosts/systemd-host.ts';
import type { SystemdKind } from '../harness/real-hosts/systemd-kinds.ts';
import { waitUntil } from '../harness/wait-until.ts';

const UPGRADE_MS = 120_000;

const transport = createSshTransport();
const lease = { signal: new AbortController().signal, isHeld: () => true, assertHeld: () => {} };

const SYSTEMS: Readonly<
  Record<'apt' | 'dnf', { driver: OsDriver; waitingProcess: string; countUpgrades: readonly [string, ...string[]] }>
> = {
  apt: {
    driver: apt,
    waitingProcess: 'toyd.postinst',
    countUpgrades: ['grep', '-c', ' upgrade toyd:', '/var/log/dpkg.log'],
  },
  dnf: {
    driver: dnf,
    waitingProcess: '/var/tmp/rpm-tmp',
    countUpgrades: ['sh', '-c', 'dnf history list toyd | grep -c upgrade'],
  },
};

describeOnSystemdHosts('a package upgrade whose connection breaks', () => {
  describe.each(['apt', 'dnf'] satisfies SystemdKind[])('with %s', kind => {
    const { driver, waitingProcess, countUpgrades } = SYSTEMS[kind];
    let host: SystemdHost;
    beforeAll(async () => {
      host = await startSystemdHost({ kind, users: [{ name: 'core', shell: '/bin/bash', sudo: 'free' }] });
      const packages = await packageServer();
      packages.setVersion('1.0');
      const install = driver.install(kind === 'dnf' ? ['fedora-release', 'toyd'] : ['toyd']) ?? [];
      for (const argv of install) await host.runChecked(argv);
      packages.setVersion('2.0');
      for (const argv of driver.upgrade.stage) await host.runChecked(argv);
      await host.write(INSTALL_BLOCK_FILE, '');
    }, IMAGE_BUILD_MS);
    afterAll(() => host?.stop());

    const openConnection = async () => {
      const { privateKeyBase64 } = await loginKey();
      const { address, port, hostKey } = host;
      return new FencedHostConnection({ transport, clock: systemClock, lease, connectTimeoutMs: 10_000 }, async () => ({
        address: address as Address,
        port,
        user: 'core',
        privateKey: new Secret(privateKeyBase64),
        hostKeys: [hostKey],
      }));
    };
    const upgrade = async () => {
      const connection = await openConnection();
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

    test('continues, is found by other connections and runs once', async () => {
      const first = upgrade();
      await waitUntil('the script of the package waits', async () => {
        return (await host.run(['pgrep', '-f', waitingProcess])).exitCode === 0;
      });
      await host.cutConnections();
      expect(await first).toMatchObject({ kind: 'retry', problem: expect.stringMatching(/^unreachable: /) });
      // Another server does the same: it finds the job by its name and waits for it.
      const second = upgrade();
      const third = upgrade();
      await host.runChecked(['rm', INSTALL_BLOCK_FILE]);
      expect(await Promise.all([second, third])).toEqual([undefined, undefined]);
      expect(await version()).toBe('2.0\n');
      expect((await host.runChecked(countUpgrades)).trim()).toBe('1');
      // A later call finds the stored exit code and runs nothing.
      expect(await upgrade()).toBeUndefined();
      expect((await host.runChecked(countUpgrades)).trim()).toBe('1');
    });

    test('runs as a systemd unit, not in a login session', async () => {
      const log = await host.runChecked(['journalctl', '--no-pager', '-u', `hostler-upgrade-${kind}-1-*`]);
      expect(log).toMatch(/Started/);
    });
  });
});

// Systemd hosts: a complete system under systemd-nspawn with units, journal, package manager and a network
// interface on the bridge of this run. They boot in one or two seconds. They end with this process and never
// write to the image. The next run removes the bridge and cgroups of a killed process.

import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { listChildren, machineUptimeS, readProcessName } from '../programs/proc-files.ts';
import { removeTree, runTool } from '../programs/run-tool.ts';
import { waitUntil } from '../wait-until.ts';
import { removeCgroups } from './cgroups.ts';
import { HostProcess } from './host-process.ts';
import { RealHost } from './real-host.ts';

const BOOT_SCRIPT = path.join(import.meta.dirname, 'scripts/systemd/boot.sh');
const SSH_PORT = 22;
const BOOT_MS = 60_000;
/** Exit code of systemd-nspawn for a reboot. */
const REBOOT_CODE = 133;

export interface SystemdHostSettings {
  readonly name: string;
  readonly folder: string;
  /** Lower layers, topmost first. */
  readonly layers: readonly string[];
  readonly address: string;
  readonly bridge: string;
  readonly cgroup: string;
  readonly cgroups: readonly string[];
}

const hasSshBanner = (address: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: address, port: SSH_PORT, timeout: 500 });
    const finish = (isSsh: boolean) => {
      socket.destroy();
      resolve(isSsh);
    };
    socket.once('data', data => finish(data.toString('latin1').startsWith('SSH-')));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
    socket.once('timeout', () => finish(false));
  });

export class SystemdHost extends RealHost {
  readonly hostProcess: HostProcess;
  readonly hostKey: string;
  readonly #folder: string;
  readonly #cgroup: string;

  constructor({ name, folder, layers, address, bridge, cgroup, cgroups }: SystemdHostSettings, hostKey: string) {
    super(name, address, SSH_PORT);
    this.hostKey = hostKey;
    this.#folder = folder;
    this.#cgroup = cgroup;
    this.hostProcess = new HostProcess({
      boot: () => [
        ...(['unshare', '--mount', '--pid', '--time', '--boottime', `-${machineUptimeS()}`, '--fork'] as const),
        ...['--kill-child', BOOT_SCRIPT, folder, name, layers.join(':'), bridge, ...cgroups],
      ],
      isReboot: ({ code }) => code === REBOOT_CODE,
    });
  }

  async firstProcess(): Promise<number> {
    return waitUntil(`${this.name} has a systemd`, async () =>
      listChildren(await this.hostProcess.firstProcess()).find(pid => readProcessName(pid) === 'systemd'),
    );
  }

  async #waitForSsh(): Promise<void> {
    await waitUntil(
      `${this.name} answers`,
      () => {
        if (!this.hostProcess.isRunning) throw new Error(`${this.name} did not boot:\n${this.hostProcess.console}`);
        return hasSshBanner(this.address);
      },
      BOOT_MS,
    );
  }

  async powerOn(): Promise<void> {
    this.hostProcess.start();
    await this.#waitForSsh();
  }

  async reboot(): Promise<void> {
    const { boots } = this.hostProcess;
    await this.run(['systemctl', 'reboot']);
    await waitUntil(`${this.name} reboots`, () => this.hostProcess.boots > boots, BOOT_MS);
    await this.#waitForSsh();
  }

  /** Waits until systemd has started all units. */
  async state(): Promise<string> {
    return (await this.run(['systemctl', 'is-system-running', '--wait'])).stdout.trim();
  }

  /**
   * An OSTree host boots its previous version from the next boot on, as if the newest version failed to boot.
   */
  bootPreviousVersion(): void {
    writeFileSync(path.join(this.#folder, 'falls-back'), '');
  }

  /** Packets are lost without an error. */
  async disconnectNetwork(): Promise<void> {
    await runTool(['ip', 'link', 'set', `vb-${this.name}`, 'down']);
  }

  async connectNetwork(): Promise<void> {
    await runTool(['ip', 'link', 'set', `vb-${this.name}`, 'up']);
  }

  async stop(): Promise<void> {
    this.hostProcess.staysOffAfterReboot = true;
    await this.powerOff();
    await removeCgroups(this.#cgroup);
    await removeTree(this.#folder);
  }
}

const UNIT = `[Unit]
Documentation=https://github.com/coreos/zincati
[Service]
ExecStartPre=/usr/bin/rpm-ostree deploy --register-driver=Zincati ""
ExecStart=/bin/sleep infinity
`;

/**
 * Registers an update driver with rpm-ostree, as Zincati does on Fedora CoreOS. rpm-ostree then rejects other
 * clients.
 */
export async function startUpdateDriver(host: SystemdHost): Promise<void> {
  await host.write('/etc/systemd/system/zincati.service', UNIT);
  await host.runChecked(['systemctl', 'start', 'zincati.service']);
}

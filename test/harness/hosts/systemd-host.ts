// Systemd hosts: a whole system under systemd-nspawn, with units, journal, package manager and a network card of its own on the bridge of
// this run. They boot in a second or two. What must hold is the same as for light hosts: nothing outlives this process, and the image
// is never written to. The bridge and the control groups that a killed process leaves go with its run folder.

import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { until } from '../until.ts';
import { removeCgroups } from './cgroups.ts';
import { Power } from './power.ts';
import { childrenOf, nameOf } from './process-tree.ts';
import { RealHost } from './real-host.ts';
import { removeTree } from './remove-tree.ts';
import { runTool } from './run-tool.ts';
import { secondsUp } from './seconds-up.ts';

const BOOT_SCRIPT = path.join(import.meta.dirname, 'scripts/systemd/boot.sh');
const SSH_PORT = 22;
const BOOT_MS = 60_000;
/** How systemd-nspawn ends when the host wants to boot again. */
const REBOOT_CODE = 133;

export interface SystemdHostPlace {
  readonly name: string;
  readonly folder: string;
  /** Below its own, the uppermost first. */
  readonly layers: readonly string[];
  readonly address: string;
  readonly bridge: string;
  readonly cgroup: string;
  readonly cgroups: readonly string[];
}

/** Whether an SSH server answers there. */
const isGreeted = (address: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: address, port: SSH_PORT, timeout: 500 });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', data => end(data.toString('latin1').startsWith('SSH-')));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.once('timeout', () => end(false));
  });

export class SystemdHost extends RealHost {
  readonly power: Power;
  readonly hostKey: string;
  readonly #folder: string;
  readonly #cgroup: string;

  constructor({ name, folder, layers, address, bridge, cgroup, cgroups }: SystemdHostPlace, hostKey: string) {
    super(name, address, SSH_PORT);
    this.hostKey = hostKey;
    this.#folder = folder;
    this.#cgroup = cgroup;
    this.power = new Power({
      boot: () => [
        ...(['unshare', '--mount', '--pid', '--time', '--boottime', `-${secondsUp()}`, '--fork'] as const),
        ...['--kill-child', BOOT_SCRIPT, folder, name, layers.join(':'), bridge, ...cgroups],
      ],
      isReboot: ({ code }) => code === REBOOT_CODE,
    });
  }

  async firstProcess(): Promise<number> {
    return until(`${this.name} has a systemd`, async () =>
      childrenOf(await this.power.firstProcess()).find(pid => nameOf(pid) === 'systemd'),
    );
  }

  async #answers(): Promise<void> {
    await until(
      `${this.name} answers`,
      () => {
        if (!this.power.isOn) throw new Error(`${this.name} did not boot:\n${this.power.console}`);
        return isGreeted(this.address);
      },
      BOOT_MS,
    );
  }

  async powerOn(): Promise<void> {
    this.power.on();
    await this.#answers();
  }

  async reboot(): Promise<void> {
    const { boots } = this.power;
    await this.run(['systemctl', 'reboot']);
    await until(`${this.name} reboots`, () => this.power.boots > boots, BOOT_MS);
    await this.#answers();
  }

  /** Waits until systemd has started all that it starts, and answers how it is. */
  async state(): Promise<string> {
    return (await this.run(['systemctl', 'is-system-running', '--wait'])).stdout.trim();
  }

  /** From its next boot on, an OSTree host boots the version before the newest that it has: the newest does not come up. */
  fallBack(): void {
    writeFileSync(path.join(this.#folder, 'falls-back'), '');
  }

  /** Pulls its network cable: nobody is refused, nothing comes back. */
  async unplug(): Promise<void> {
    await runTool(['ip', 'link', 'set', `vb-${this.name}`, 'down']);
  }

  async plug(): Promise<void> {
    await runTool(['ip', 'link', 'set', `vb-${this.name}`, 'up']);
  }

  async stop(): Promise<void> {
    this.power.staysOffAfterReboot = true;
    await this.powerOff();
    await removeCgroups(this.#cgroup);
    await removeTree(this.#folder);
  }
}

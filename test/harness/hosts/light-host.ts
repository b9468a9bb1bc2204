// Light hosts: each has a root file system, name, boot id, uptime and sshd of its own, in namespaces over an overlay of one image, on
// an address of the loopback. They boot in a tenth of a second, and reboot by the real reboot(2). What must hold: nothing of a host
// outlives this process, however that ends; no two hosts of the machine have the same address; nothing writes to the image.

import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../until.ts';
import { BOOT_SCRIPT } from './layers.ts';
import type { LightHostPlace } from './light-host-configuration.ts';
import { makeKey } from './login-key.ts';
import { Power } from './power.ts';
import { nameOf, signalAll } from './process-tree.ts';
import { RealHost } from './real-host.ts';
import { secondsUp } from './seconds-up.ts';

const NAMESPACES = ['--mount', '--uts', '--ipc', '--pid', '--time'];

export class LightHost extends RealHost {
  readonly power: Power;
  readonly #folder: string;
  #hostKey: string;

  constructor(
    { name, folder, layers, address, port }: LightHostPlace,
    hostKey: string,
    newBootId: () => string = randomUUID,
  ) {
    super(name, address, port);
    this.#folder = folder;
    this.#hostKey = hostKey;
    this.power = new Power({
      boot: () => {
        writeFileSync(path.join(folder, 'boot-id'), `${newBootId()}\n`);
        return [
          ...(['unshare', ...NAMESPACES, '--boottime', `-${secondsUp()}`, '--fork', '--kill-child'] as const),
          ...[BOOT_SCRIPT, folder, name, layers.join(':')],
        ];
      },
      // The kernel tells a reboot(2) in a PID namespace by this signal, and a power off by SIGINT.
      isReboot: ({ signal }) => signal === 'SIGHUP',
    });
  }

  get hostKey(): string {
    return this.#hostKey;
  }

  firstProcess(): Promise<number> {
    // Until it has become this, its root is still that of the machine.
    return until(`${this.name} has an init`, async () => {
      const first = await this.power.firstProcess();
      return nameOf(first) === 'init' && first;
    });
  }

  #logged(line: string): number {
    try {
      return readFileSync(path.join(this.#folder, 'upper/var/log/sshd.log'), 'utf8').split(line).length - 1;
    } catch {
      return 0;
    }
  }

  /** How often somebody was let in by a key, since it was made. */
  logins(): number {
    return this.#logged('Accepted publickey');
  }

  /** How often its sshd has begun to listen. */
  #listened(): number {
    return this.#logged('Server listening on');
  }

  #listensAgain(before: number): Promise<true> {
    return until(`${this.name} listens`, () => {
      if (!this.power.isOn) throw new Error(`${this.name} did not boot:\n${this.power.console}`);
      return this.#listened() > before;
    });
  }

  async powerOn(): Promise<void> {
    if (this.power.isOn) return;
    const before = this.#listened();
    this.power.on();
    await this.#listensAgain(before);
  }

  async reboot(): Promise<void> {
    const [before, boots] = [this.#listened(), this.power.boots];
    // It does not live to tell how it ended.
    await this.run(['/usr/lib/hostler-test/restart', 'reboot']);
    await until(`${this.name} reboots`, () => this.power.boots > boots);
    await this.#listensAgain(before);
  }

  /** From the next connection on it shows another key, which is the answer. */
  async replaceHostKey(type = 'ed25519'): Promise<string> {
    const file = path.join(this.#folder, `key-${randomUUID()}`);
    this.#hostKey = await makeKey(file, type);
    await this.write(`/etc/ssh/ssh_host_${type}_key`, readFileSync(file, 'utf8'), 0o600);
    const before = this.#listened();
    signalAll((await this.sshd()).listener, 'SIGHUP');
    await this.#listensAgain(before);
    return this.#hostKey;
  }

  async stop(): Promise<void> {
    this.power.staysOffAfterReboot = true;
    await this.powerOff();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

// Light hosts: each has its own root file system, name, boot ID, uptime and sshd, in namespaces over an
// overlay of one image, on a loopback address. They boot in 0.1 s and reboot with reboot(2). Hosts end with
// this process, addresses are unique on the machine, and the image is never written.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Semaphore } from '../../../src/lib/concurrency.ts';
import { readBootId } from '../../../src/server/wiring/start-engine.ts';
import { freePort, isPortFree } from '../http/sockets.ts';
import { machineUptimeS, readProcessName, signalAll } from '../programs/proc-files.ts';
import { waitUntil } from '../wait-until.ts';
import { createKey, loginKey } from './host-access.ts';
import { HostProcess } from './host-process.ts';
import type { LightHostOptions, LightHostSettings } from './light-host-configuration.ts';
import { writeConfiguration } from './light-host-configuration.ts';
import { BOOT_SCRIPT, getLayers } from './light-host-layers.ts';
import { loopbackAddress } from './loopback-address.ts';
import { RealHost } from './real-host.ts';
import { runFolder } from './run-folder.ts';

const NAMESPACES = ['--mount', '--uts', '--ipc', '--pid', '--time'];

export class LightHost extends RealHost {
  readonly hostProcess: HostProcess;
  readonly #folder: string;
  #hostKey: string;

  constructor(
    { name, folder, layers, address, port }: LightHostSettings,
    hostKey: string,
    newBootId: () => string = randomUUID,
  ) {
    super(name, address, port);
    this.#folder = folder;
    this.#hostKey = hostKey;
    this.hostProcess = new HostProcess({
      boot: () => {
        writeFileSync(path.join(folder, 'boot-id'), `${newBootId()}\n`);
        return [
          ...(['unshare', ...NAMESPACES, '--boottime', `-${machineUptimeS()}`, '--fork', '--kill-child'] as const),
          ...[BOOT_SCRIPT, folder, name, layers.join(':')],
        ];
      },
      // In a PID namespace the kernel reports reboot(2) as SIGHUP and power off as SIGINT.
      isReboot: ({ signal }) => signal === 'SIGHUP',
    });
  }

  get hostKey(): string {
    return this.#hostKey;
  }

  firstProcess(): Promise<number> {
    // Before init starts, the root is that of this machine.
    return waitUntil(`${this.name} has an init`, async () => {
      const first = await this.hostProcess.firstProcess();
      return readProcessName(first) === 'init' && first;
    });
  }

  #countLogLines(line: string): number {
    try {
      return readFileSync(path.join(this.#folder, 'upper/var/log/sshd.log'), 'utf8').split(line).length - 1;
    } catch {
      return 0;
    }
  }

  /** Logins with a key since the host was created. */
  logins(): number {
    return this.#countLogLines('Accepted publickey');
  }

  /** Number of sshd starts. */
  #countListens(): number {
    return this.#countLogLines('Server listening on');
  }

  #waitUntilListening(before: number): Promise<true> {
    return waitUntil(`${this.name} listens`, () => {
      if (!this.hostProcess.isRunning) throw new Error(`${this.name} did not boot:\n${this.hostProcess.console}`);
      return this.#countListens() > before;
    });
  }

  async powerOn(): Promise<void> {
    if (this.hostProcess.isRunning) return;
    const before = this.#countListens();
    this.hostProcess.start();
    await this.#waitUntilListening(before);
  }

  async reboot(): Promise<void> {
    const [before, boots] = [this.#countListens(), this.hostProcess.boots];
    // The command ends with the host, so its result is ignored.
    await this.run(['/usr/lib/hostler-test/restart', 'reboot']);
    await waitUntil(`${this.name} reboots`, () => this.hostProcess.boots > boots);
    await this.#waitUntilListening(before);
  }

  /** Takes effect with the next connection; returns the new key. */
  async replaceHostKey(type = 'ed25519'): Promise<string> {
    const file = path.join(this.#folder, `key-${randomUUID()}`);
    this.#hostKey = await createKey(file, type);
    await this.write(`/etc/ssh/ssh_host_${type}_key`, readFileSync(file, 'utf8'), 0o600);
    const before = this.#countListens();
    signalAll((await this.sshd()).listener, 'SIGHUP');
    await this.#waitUntilListening(before);
    return this.#hostKey;
  }

  async stop(): Promise<void> {
    this.hostProcess.staysOffAfterReboot = true;
    await this.powerOff();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Booting is CPU-bound: more concurrency is not faster. */
const CONCURRENCY = 8;

let count = 0;

async function allocateHost({ identity, isIpv6 = false, port = 2222 }: LightHostOptions): Promise<LightHostSettings> {
  const [run, layers] = await Promise.all([runFolder(), getLayers(identity)]);
  for (;;) {
    const index = ++count;
    const name = `light${index}`;
    const settings = { name, folder: path.join(run.folder, name), layers };
    if (isIpv6) return { ...settings, address: '::1', port: await freePort('::1') };
    const address = loopbackAddress(run.number, index);
    if (await isPortFree(address, port)) return { ...settings, address, port };
  }
}

/** Returns when the host is reachable, unless `isOff` is set. */
export async function startLightHost(options: LightHostOptions): Promise<LightHost> {
  const [settings, key] = [await allocateHost(options), await loginKey()];
  for (const name of ['upper', 'work', 'root']) mkdirSync(path.join(settings.folder, name), { recursive: true });
  const hostKey = await writeConfiguration(settings, options, key.publicKey);
  const host = new LightHost(settings, hostKey, options.hasMachineBootId ? readBootId : undefined);
  if (!options.isOff) await host.powerOn();
  return host;
}

export function startLightHosts(number: number, options: LightHostOptions): Promise<LightHost[]> {
  const semaphore = new Semaphore(CONCURRENCY, number);
  return Promise.all(Array.from({ length: number }, () => semaphore.run(() => startLightHost(options))));
}

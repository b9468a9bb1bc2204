import { expect } from 'vitest';
import { startSystemdHost } from '../harness/real-hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/real-hosts/systemd-host.ts';
import { cloudInitSeed } from '../harness/real-hosts/systemd-kinds.ts';

/** Copy of the enrolment script that cloud-init runs at the next boot. */
export const BOOT_SCRIPT = '/var/lib/cloud/scripts/per-boot/hostler-enrol';

/** A systemd host with cloud-init. */
export class CloudHost {
  readonly host: SystemdHost;

  private constructor(host: SystemdHost) {
    this.host = host;
  }

  /** Returns when the host is reachable. Its first boot may still be running. */
  static async boot(name: string, userData: string, hidden: readonly string[] = []): Promise<CloudHost> {
    const files = cloudInitSeed(name, userData);
    return new CloudHost(await startSystemdHost({ kind: 'cloud', files, hidden }));
  }

  #shell(script: string): Promise<string> {
    return this.host.runChecked(['sh', '-c', script]);
  }

  /** Waits until cloud-init has completed without errors. */
  async untilDone(): Promise<void> {
    expect(await this.host.runChecked(['timeout', '60', 'cloud-init', 'status', '--wait'])).toContain('status: done');
  }

  /** Output of the script in the syslog since the last boot. */
  enrolmentLog(): Promise<string> {
    return this.host.runChecked(['journalctl', '-b', '-t', 'hostler-enrol', '-o', 'cat']);
  }

  /** Host keys of the types that the service supports. */
  async hostKeys(): Promise<string[]> {
    const keys = await this.#shell("cat /etc/ssh/ssh_host_*_key.pub | grep -v ^ssh-dss | cut -d' ' -f1,2");
    return keys.trim().split('\n');
  }

  /** Files that the script stores on the disk. */
  async storedFiles(): Promise<string[]> {
    return (await this.#shell('find /var/lib/hostler-enrol /var/lib/cloud/scripts -type f | sort')).trim().split('\n');
  }

  /**
   * Returns the files that contain the secret and that other users than root can read, and the matching lines
   * in the logs of cloud-init and the journal.
   */
  async findLeaks(secret: string): Promise<string> {
    await this.host.write('/run/needle', secret, 0o600);
    const find = 'grep -F -f /run/needle';
    return this.#shell(`find /etc /home /root /run /tmp /var -type f -perm /077 -exec ${find} -l {} + || true
      { journalctl; cat /var/log/cloud-init.log /var/log/cloud-init-output.log; } | ${find} || true`);
  }
}

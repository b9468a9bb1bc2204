import { expect } from 'vitest';
import { cloudInitSeed } from '../harness/hosts/cloud-init-seed.ts';
import { startSystemdHost } from '../harness/hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/hosts/systemd-host.ts';

/** The script that goes on at the next boot, where cloud-init looks for it. */
export const COPY = '/var/lib/cloud/scripts/per-boot/hostler-enrol';

/** A whole system with cloud-init in it, and what is to be known of its first boot. */
export class CloudHost {
  readonly host: SystemdHost;

  private constructor(host: SystemdHost) {
    this.host = host;
  }

  /** It can be reached, and may be still at it. */
  static async boot(name: string, userData: string, hidden: readonly string[] = []): Promise<CloudHost> {
    const files = cloudInitSeed(name, userData);
    return new CloudHost(await startSystemdHost({ kind: 'cloud', files, hidden }));
  }

  #shell(script: string): Promise<string> {
    return this.host.must(['sh', '-c', script]);
  }

  /** Waits until cloud-init has done everything, and nothing of it failed. */
  async isDone(): Promise<void> {
    expect(await this.host.must(['timeout', '60', 'cloud-init', 'status', '--wait'])).toContain(
      'status: done',
    );
  }

  /** What the script has said in the syslog, since the last boot. */
  said(): Promise<string> {
    return this.host.must(['journalctl', '-b', '-t', 'hostler-enrol', '-o', 'cat']);
  }

  /** Those of a type that the service knows. */
  async hostKeys(): Promise<string[]> {
    const keys = await this.#shell("cat /etc/ssh/ssh_host_*_key.pub | grep -v ^ssh-dss | cut -d' ' -f1,2");
    return keys.trim().split('\n');
  }

  /** What the script keeps on the disk. */
  async kept(): Promise<string[]> {
    return (await this.#shell('find /var/lib/hostler-enrol /var/lib/cloud/scripts -type f | sort'))
      .trim()
      .split('\n');
  }

  /** The files with a secret in them that others than root could read, and what the logs of cloud-init and the journal have of it. */
  async leaks(secret: string): Promise<string> {
    await this.host.write('/run/needle', secret, 0o600);
    const find = 'grep -F -f /run/needle';
    return this.#shell(`find /etc /home /root /run /tmp /var -type f -perm /077 -exec ${find} -l {} + || true
      { journalctl; cat /var/log/cloud-init.log /var/log/cloud-init-output.log; } | ${find} || true`);
  }
}

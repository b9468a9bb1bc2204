// Restarts real hosts, each with its own sshd on loopback, that reboot with reboot(2) and a fixed boot time:
// with Hostler, and with an Ansible play that does the same. The baseline is the sum of the boot times.

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../src/sdk/client.ts';
import type { LightHost } from '../test/harness/real-hosts/light-host.ts';
import { ServerProcess } from './server-process.ts';
import { SSH_OPTIONS } from './ssh/bench-input.ts';

const PASSWORD = 'bench';
const CLUSTER = 'web';
const POLL_INTERVAL_MS = 20;
const DEADLINE_MS = 600_000;

export interface RestartOptions {
  readonly hosts: readonly LightHost[];
  readonly keyFile: string;
  /** Maximum number of unavailable hosts. */
  readonly maxUnavailable: number;
  readonly folder: string;
}

const secondsSince = (startedMs: number) => (performance.now() - startedMs) / 1000;

async function waitUntil(condition: string, isMet: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error(`timed out: ${condition}`);
    await delay(POLL_INTERVAL_MS);
  }
}

/** Does not wait for a host to stay healthy, because Ansible does not either. */
const POLICY = { min_healthy_s: 0 };

/** Seconds from the request until the record is finished. */
export async function restartByHostler({ hosts, keyFile, maxUnavailable, folder }: RestartOptions): Promise<number> {
  const program = await ServerProcess.start(
    ['bin/hostler.js', 'serve'],
    { HOSTLER_DATA: folder, HOSTLER_LISTEN: '127.0.0.1:0', HOSTLER_ADMIN_PASSWORD: PASSWORD },
    path.join(folder, 'log'),
  );
  try {
    const client = createClient({ baseUrl: program.url, user: 'admin', password: PASSWORD });
    await client.putCluster({ name: CLUSTER, body: { network: 'default' } });
    const ssh_priv_key = readFileSync(keyFile).toString('base64');
    for (const { address, port } of hosts)
      await client.putHost({ address, body: { ssh_priv_key, ssh_port: port, cluster: CLUSTER } });
    await waitUntil('all hosts are active', async () => {
      const { body } = await client.getCluster({ name: CLUSTER });
      return body.hosts.available === hosts.length;
    });
    const startedMs = performance.now();
    const policy = { ...POLICY, max_unavailable: maxUnavailable };
    await client.putRestart({ name: CLUSTER, body: { policy } });
    await waitUntil('the restart is finished', async () => {
      const { body } = await client.getRestart({ name: CLUSTER });
      if (body.status === 'failed') throw new Error(JSON.stringify(body));
      return body.status === 'finished';
    });
    return secondsSince(startedMs);
  } finally {
    await program.stop();
  }
}

const createPlaybook = (serial: number) => `- hosts: all
  gather_facts: false
  serial: ${serial}
  tasks:
    - ansible.builtin.reboot:
        reboot_command: reboot
        pre_reboot_delay: 0
        post_reboot_delay: 0
        connect_timeout: 1
`;

/** Seconds from the start of the program to its end. */
export async function restartByAnsible({ hosts, keyFile, maxUnavailable, folder }: RestartOptions): Promise<number> {
  const [inventory, playbook] = [path.join(folder, 'inventory'), path.join(folder, 'play.yaml')];
  const line = ({ address, port }: LightHost) => `${address} ansible_port=${port} ansible_user=root`;
  writeFileSync(inventory, hosts.map(line).join('\n'));
  writeFileSync(playbook, createPlaybook(maxUnavailable));
  const startedMs = performance.now();
  const args = ['-i', inventory, '-f', String(maxUnavailable), '--private-key', keyFile, playbook];
  const child = spawn('ansible-playbook', args, {
    env: {
      ...process.env,
      ANSIBLE_HOST_KEY_CHECKING: 'False',
      ANSIBLE_PIPELINING: 'True',
      ANSIBLE_PYTHON_INTERPRETER: '/usr/bin/python3',
      // A host that goes down can leave a hanging connection.
      ANSIBLE_SSH_ARGS: `-F none -o ServerAliveInterval=5 -o ServerAliveCountMax=2 ${SSH_OPTIONS.join(' ')}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const text of child.stdout) output += text;
  const seconds = secondsSince(startedMs);
  const changed = output.match(/changed=1/g)?.length ?? 0;
  if (changed !== hosts.length) throw new Error(`Ansible rebooted ${changed} hosts:\n${output.slice(-4000)}`);
  return seconds;
}

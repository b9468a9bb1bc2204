// Real hosts, each with an sshd of its own on loopback, that reboot by the real reboot(2) and take the same time to boot: restarted by
// Hostler, by an Ansible play that does the same, and by nobody in no more time than the boots take.

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../src/sdk/client.ts';
import type { LightHost } from '../test/harness/hosts/light-host.ts';
import { ServerProcess } from './server-process.ts';
import { SSH_OPTIONS } from './ssh/bench-input.ts';

const PASSWORD = 'bench';
const CLUSTER = 'web';
const POLL_INTERVAL_MS = 20;
const DEADLINE_MS = 600_000;

export interface RestartOptions {
  readonly hosts: readonly LightHost[];
  readonly keyFile: string;
  /** How many may be down at once. */
  readonly maxUnavailable: number;
  readonly folder: string;
}

const secondsSince = (startedMs: number) => (performance.now() - startedMs) / 1000;

async function waitUntil(what: string, isMet: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error(`timed out: ${what}`);
    await delay(POLL_INTERVAL_MS);
  }
}

/** Everything but the waiting for a host to stay healthy: Ansible does not do that either. */
const POLICY = { min_healthy_s: 0 };

/** From the request to the record that says finished. */
export async function restartByHostler({
  hosts,
  keyFile,
  maxUnavailable,
  folder,
}: RestartOptions): Promise<number> {
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
    await waitUntil('the restart is over', async () => {
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

/** From the start of the program to its end. */
export async function restartByAnsible({
  hosts,
  keyFile,
  maxUnavailable,
  folder,
}: RestartOptions): Promise<number> {
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
      // A host that goes down may leave a connection behind that nobody ends.
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

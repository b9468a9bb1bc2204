// Real hosts, each with an sshd of its own on loopback, that reboot by the real reboot(2) and take the same time to boot: restarted by
// Hostler, by an Ansible play that does the same, and by nobody in no more time than the boots take.

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../../src/client/client.ts';
import type { LightHost } from '../../test/harness/hosts/light-host.ts';
import { Program } from '../program.ts';
import { SSH_OPTIONS } from '../ssh/job.ts';

const PASSWORD = 'bench';
const CLUSTER = 'web';
const LOOK_EVERY_MS = 20;
const DEADLINE_MS = 600_000;

export interface Fleet {
  readonly hosts: readonly LightHost[];
  readonly keyFile: string;
  /** How many may be down at once. */
  readonly atOnce: number;
  readonly folder: string;
}

const secondsSince = (begun: number) => (performance.now() - begun) / 1000;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`timed out: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}

/** Everything but the waiting for a host to stay healthy: Ansible does not do that either. */
const POLICY = { min_healthy_s: 0 };

/** From the request to the record that says finished. */
export async function restartByHostler({ hosts, keyFile, atOnce, folder }: Fleet): Promise<number> {
  const program = await Program.start(
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
    await until('all hosts are active', async () => {
      const { body } = await client.getCluster({ name: CLUSTER });
      return body.hosts.available === hosts.length;
    });
    const begun = performance.now();
    const policy = { ...POLICY, max_unavailable: atOnce };
    await client.putRestart({ name: CLUSTER, body: { policy } });
    await until('the restart is over', async () => {
      const { body } = await client.getRestart({ name: CLUSTER });
      if (body.status === 'failed') throw new Error(JSON.stringify(body));
      return body.status === 'finished';
    });
    return secondsSince(begun);
  } finally {
    await program.stop();
  }
}

const PLAY = (atOnce: number) => `- hosts: all
  gather_facts: false
  serial: ${atOnce}
  tasks:
    - ansible.builtin.reboot:
        reboot_command: reboot
        pre_reboot_delay: 0
        post_reboot_delay: 0
        connect_timeout: 1
`;

/** From the start of the program to its end. */
export async function restartByAnsible({ hosts, keyFile, atOnce, folder }: Fleet): Promise<number> {
  const [inventory, play] = [path.join(folder, 'inventory'), path.join(folder, 'play.yaml')];
  const line = ({ address, port }: LightHost) => `${address} ansible_port=${port} ansible_user=root`;
  writeFileSync(inventory, hosts.map(line).join('\n'));
  writeFileSync(play, PLAY(atOnce));
  const begun = performance.now();
  const args = ['-i', inventory, '-f', String(atOnce), '--private-key', keyFile, play];
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
  const seconds = secondsSince(begun);
  const changed = output.match(/changed=1/g)?.length ?? 0;
  if (changed !== hosts.length) throw new Error(`Ansible rebooted ${changed} hosts:\n${output.slice(-4000)}`);
  return seconds;
}

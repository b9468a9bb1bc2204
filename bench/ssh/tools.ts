// What other people use: each as one process that asks all hosts, or as one for each host. Its CPU is that of the process and of all
// that it has started on this side.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { cpuSeconds } from './cpu-seconds.ts';
import type { SshJob, SshResult } from './job.ts';
import { inRows, SSH_OPTIONS } from './job.ts';

interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

function run(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', text => {
      said.stdout += text;
    });
    child.stderr.on('data', text => {
      said.stderr += text;
    });
    child.on('error', reject);
    child.on('close', () => resolve(said));
  });
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

const spawnedSsh = ({ hosts, keyFile, command, atOnce }: SshJob): Promise<number> =>
  inRows(hosts, atOnce, async ({ address, port }) => {
    const options = ['-F', 'none', '-i', keyFile, '-p', String(port), ...SSH_OPTIONS];
    return (await run(['ssh', '-n', ...options, `root@${address}`, command])).stdout.includes('boot-id');
  });

async function clush({ hosts, keyFile, command, atOnce }: SshJob): Promise<number> {
  const options = ['-F', 'none', '-i', keyFile, '-p', String(hosts[0]?.port), ...SSH_OPTIONS].join(' ');
  const nodes = hosts.map(({ address }) => address).join(',');
  const { stdout } = await run([
    ...['clush', '-q', '-f', String(atOnce), '-l', 'root', '-w', nodes, '-o', options, command],
  ]);
  return count(stdout, /boot-id/g);
}

const ansible =
  (folder: string, module: string) =>
  async ({ hosts, keyFile, command, atOnce }: SshJob): Promise<number> => {
    const inventory = path.join(folder, 'inventory');
    writeFileSync(
      inventory,
      hosts.map(({ address, port }) => `${address} ansible_port=${port} ansible_user=root`).join('\n'),
    );
    const { stdout } = await run(
      [
        ...['ansible', 'all', '-i', inventory, '-f', String(atOnce), '--private-key', keyFile, '-o'],
        ...['-m', module, ...(module === 'raw' ? ['-a', command] : [])],
      ],
      {
        ANSIBLE_HOST_KEY_CHECKING: 'False',
        ANSIBLE_PIPELINING: 'True',
        ANSIBLE_PYTHON_INTERPRETER: '/usr/bin/python3',
        ANSIBLE_SSH_ARGS: `-F none ${SSH_OPTIONS.join(' ')}`,
      },
    );
    return count(stdout, module === 'raw' ? /boot-id/g : /ansible_distribution"/g);
  };

/** By name; each answers how many hosts told their facts. */
export const toolsIn = (folder: string): Readonly<Record<string, (job: SshJob) => Promise<number>>> => ({
  'spawned ssh': spawnedSsh,
  clush,
  'ansible -m raw': ansible(folder, 'raw'),
  'ansible -m setup': ansible(folder, 'setup'),
});

export async function measureTool(tool: (job: SshJob) => Promise<number>, job: SshJob): Promise<SshResult> {
  const [begun, cpu] = [performance.now(), cpuSeconds('self', 'of ended children')];
  const answered = await tool(job);
  return {
    answered,
    seconds: (performance.now() - begun) / 1000,
    cpuSeconds: cpuSeconds('self', 'of ended children') - cpu,
  };
}

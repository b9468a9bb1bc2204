// Other tools: one process for all hosts, or one process per host. CPU time includes all child processes on
// this machine.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readCpuSeconds } from '../measure.ts';
import type { SshBenchInput, SshBenchResult } from './bench-input.ts';
import { runConcurrently, SSH_OPTIONS } from './bench-input.ts';

interface ProcessOutput {
  readonly stdout: string;
  readonly stderr: string;
}

function run(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProcessOutput> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', text => {
      output.stdout += text;
    });
    child.stderr.on('data', text => {
      output.stderr += text;
    });
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}

const countMatches = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

const runSsh = ({ hosts, keyFile, command, concurrency }: SshBenchInput): Promise<number> =>
  runConcurrently(hosts, concurrency, async ({ address, port }) => {
    const options = ['-F', 'none', '-i', keyFile, '-p', String(port), ...SSH_OPTIONS];
    return (await run(['ssh', '-n', ...options, `root@${address}`, command])).stdout.includes('boot-id');
  });

async function runClush({ hosts, keyFile, command, concurrency }: SshBenchInput): Promise<number> {
  const options = ['-F', 'none', '-i', keyFile, '-p', String(hosts[0]?.port), ...SSH_OPTIONS].join(' ');
  const nodes = hosts.map(({ address }) => address).join(',');
  const { stdout } = await run([
    ...['clush', '-q', '-f', String(concurrency), '-l', 'root', '-w', nodes, '-o', options, command],
  ]);
  return countMatches(stdout, /boot-id/g);
}

const runAnsible =
  (folder: string, module: string) =>
  async ({ hosts, keyFile, command, concurrency }: SshBenchInput): Promise<number> => {
    const inventory = path.join(folder, 'inventory');
    writeFileSync(
      inventory,
      hosts.map(({ address, port }) => `${address} ansible_port=${port} ansible_user=root`).join('\n'),
    );
    const { stdout } = await run(
      [
        ...['ansible', 'all', '-i', inventory, '-f', String(concurrency), '--private-key', keyFile, '-o'],
        ...['-m', module, ...(module === 'raw' ? ['-a', command] : [])],
      ],
      {
        ANSIBLE_HOST_KEY_CHECKING: 'False',
        ANSIBLE_PIPELINING: 'True',
        ANSIBLE_PYTHON_INTERPRETER: '/usr/bin/python3',
        ANSIBLE_SSH_ARGS: `-F none ${SSH_OPTIONS.join(' ')}`,
      },
    );
    return countMatches(stdout, module === 'raw' ? /boot-id/g : /ansible_distribution"/g);
  };

/** By name. Each function returns the number of hosts with facts. */
export const createTools = (folder: string): Readonly<Record<string, (job: SshBenchInput) => Promise<number>>> => ({
  'spawned ssh': runSsh,
  clush: runClush,
  'ansible -m raw': runAnsible(folder, 'raw'),
  'ansible -m setup': runAnsible(folder, 'setup'),
});

export async function measureTool(
  tool: (job: SshBenchInput) => Promise<number>,
  job: SshBenchInput,
): Promise<SshBenchResult> {
  const [startedMs, cpu] = [performance.now(), readCpuSeconds('self', 'ended_children')];
  const succeeded = await tool(job);
  return {
    succeeded,
    seconds: (performance.now() - startedMs) / 1000,
    cpuSeconds: readCpuSeconds('self', 'ended_children') - cpu,
  };
}

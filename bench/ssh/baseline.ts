// The baseline: only the SSH library in a loop. It checks no host key, has no limits and stores nothing.

import { readFileSync } from 'node:fs';
import ssh2 from 'ssh2';
import type { SshBenchInput, SshBenchResult } from './bench-input.ts';
import { KEX, runConcurrently } from './bench-input.ts';

const input: SshBenchInput = JSON.parse(readFileSync(0, 'utf8'));
const privateKey = readFileSync(input.keyFile);

const gatherFacts = ({ address, port }: SshBenchInput['hosts'][number]) =>
  new Promise<boolean>(resolve => {
    const client = new ssh2.Client();
    let output = '';
    client.on('error', () => resolve(false));
    client.on('ready', () => {
      client.exec(input.command, (error, channel) => {
        if (error) return resolve(false);
        channel.on('data', (data: Buffer) => {
          output += data;
        });
        channel.on('close', () => {
          client.end();
          resolve(output.includes('boot-id'));
        });
      });
    });
    client.connect({ host: address, port, username: 'root', privateKey, algorithms: { kex: [KEX] } });
  });

const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
const succeeded = await runConcurrently(input.hosts, input.concurrency, gatherFacts);
const { user, system } = process.cpuUsage(cpu);
const result: SshBenchResult = {
  succeeded,
  seconds: (performance.now() - startedMs) / 1000,
  cpuSeconds: (user + system) / 1e6,
};
process.stdout.write(JSON.stringify(result));

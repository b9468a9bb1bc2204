// The floor: the ssh library and nothing else, in a bare loop. It checks no host key, has no limits, and keeps no answer.

import { readFileSync } from 'node:fs';
import ssh2 from 'ssh2';
import type { SshJob, SshResult } from './job.ts';
import { inRows, KEX } from './job.ts';

const job: SshJob = JSON.parse(readFileSync(0, 'utf8'));
const privateKey = readFileSync(job.keyFile);

const ask = ({ address, port }: SshJob['hosts'][number]) =>
  new Promise<boolean>(resolve => {
    const client = new ssh2.Client();
    let output = '';
    client.on('error', () => resolve(false));
    client.on('ready', () => {
      client.exec(job.command, (error, channel) => {
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

const [begun, cpu] = [performance.now(), process.cpuUsage()];
const answered = await inRows(job.hosts, job.atOnce, ask);
const { user, system } = process.cpuUsage(cpu);
const result: SshResult = {
  answered,
  seconds: (performance.now() - begun) / 1000,
  cpuSeconds: (user + system) / 1e6,
};
process.stdout.write(JSON.stringify(result));

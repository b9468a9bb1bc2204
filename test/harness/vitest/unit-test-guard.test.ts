import { ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

test.each<[string, () => unknown]>([
  ['spawn', () => spawn('true')],
  ['spawnSync', () => spawnSync('true')],
  ['execFileSync', () => execFileSync('true')],
  ['a promise of execFile', () => promisify(execFile)('true')],
  ['ChildProcess', () => Reflect.apply(Reflect.get(ChildProcess.prototype, 'spawn'), new ChildProcess(), [{}])],
  ['a thread', () => new Worker('0', { eval: true })],
  ['a listening server', () => createServer().listen(0)],
  ['a connection', () => connect(9, '127.0.0.1')],
  ['a datagram socket', () => createSocket('udp4').bind(0)],
])('unit tests cannot use %s', async (_name, use) => {
  await expect(async () => use()).rejects.toThrow(/^A unit test tried to /);
});

test('unit tests cannot use fetch', async () => {
  await expect(fetch('http://127.0.0.1:8000')).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/^A unit test tried to connect/) },
  });
});

// npm run bench:traces — the cost of traces: CPU of the server per request and its memory, without an
// endpoint, with an endpoint, and with an endpoint but without reads. CPU time is less affected by other load
// than elapsed time. The collector runs in this process.
//
//     npm run bench:traces -- /path/to/another/checkout   also measures the server of that checkout

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listen } from '../test/harness/http/sockets.ts';
import type { LoadRequest } from './load-generator.ts';
import { load } from './load-generator.ts';
import { median, readCpuSeconds } from './measure.ts';
import { ServerProcess } from './server-process.ts';

const CONNECTIONS = 16;
const REQUESTS = 10_000;
const ROUNDS = 5;
const MIB = 1024 ** 2;

const authorization = `Basic ${Buffer.from('admin:bench').toString('base64')}`;
const createRequest = (): LoadRequest => ({
  method: 'GET',
  path: '/api/v0/network/default',
  headers: { authorization },
});

/** Accepts everything and parses nothing. */
const collector = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
const endpoint = `http://127.0.0.1:${await listen(collector)}`;
const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-'));

const serve = (name: string, settings: Record<string, string>, checkout = '.') =>
  ServerProcess.start(
    ['--expose-gc', path.join(checkout, 'bin/hostler.js'), 'serve'],
    {
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_DATA: path.join(folder, name),
      HOSTLER_ADMIN_PASSWORD: 'bench',
      HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
      HOSTLER_TRANSPORT: 'none',
      ...settings,
    },
    path.join(folder, 'log'),
  );

async function measureUsPerRequest({ url, pid }: ServerProcess): Promise<number> {
  const before = readCpuSeconds(pid, 'own');
  await load(url, REQUESTS, CONNECTIONS, createRequest);
  return ((readCpuSeconds(pid, 'own') - before) / REQUESTS) * 1e6;
}

const [other] = process.argv.slice(2);
const services: (readonly [string, ServerProcess])[] = [];
try {
  if (other) services.push([`the server in ${other}`, await serve('other', {}, other)]);
  services.push(['without an endpoint', await serve('off', {})]);
  services.push([
    'with an endpoint, no reads',
    await serve('part', { HOSTLER_TRACE_ENDPOINT: endpoint, HOSTLER_TRACE_READ_RATIO: '0' }),
  ]);
  services.push(['with an endpoint, everything', await serve('on', { HOSTLER_TRACE_ENDPOINT: endpoint })]);
  const rounds = new Map<ServerProcess, number[]>(services.map(([, service]) => [service, []]));
  // The first round is the warm-up.
  for (let round = -1; round < ROUNDS; round += 1)
    for (const [service, samples] of rounds) {
      const us = await measureUsPerRequest(service);
      if (round >= 0) samples.push(us);
    }
  for (const [name, service] of services) {
    const us = rounds.get(service) ?? [];
    const { heapUsed, rss } = await service.memory();
    console.log(
      `${name.padEnd(30)}${median(us).toFixed(0).padStart(5)} µs of CPU per request (${Math.min(...us).toFixed(0)}–${Math.max(...us).toFixed(0)}), heap ${(heapUsed / MIB).toFixed(0)} MiB, memory ${(rss / MIB).toFixed(0)} MiB`,
    );
  }
} finally {
  for (const [, service] of services) await service.stop();
  collector.closeAllConnections();
  collector.close();
  rmSync(folder, { recursive: true, force: true });
}

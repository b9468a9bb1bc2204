import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { basic } from '../harness/credentials.ts';
import { runCommand, runHostler } from '../harness/programs/process.ts';

describe('a server that receives a signal', () => {
  let folder = '';
  const settings = (overrides: Record<string, string> = {}) => ({
    HOSTLER_LISTEN: '127.0.0.1:0',
    HOSTLER_DATA: path.join(folder, 'data'),
    ...overrides,
  });

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-process-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('runs with npm start, and SIGTERM to npm stops it gracefully', async () => {
    const npm = runCommand('npm', ['start'], settings({ HOSTLER_ADMIN_PASSWORD: 'given' }));
    const url = await npm.url();
    const response = await fetch(`${url}/api/v0/user`, { headers: { authorization: basic('admin:given') } });
    expect(response.status).toBe(200);
    expect(await npm.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(npm.stderr).toContain('"msg":"stopped"');
    await expect(fetch(url)).rejects.toThrow();
  });

  test('completes running requests at SIGTERM, closes idle connections and exits with 0', async () => {
    const server = runHostler(['serve'], settings({ HOSTLER_ADMIN_PASSWORD: 'given' }));
    const { port } = new URL(await server.url());
    const call = request({
      port,
      host: '127.0.0.1',
      method: 'PUT',
      path: '/api/v0/network/late',
      headers: {
        authorization: basic('admin:given'),
        'content-type': 'application/json',
        expect: '100-continue',
      },
    });
    call.flushHeaders();
    await once(call, 'continue');
    const connections = ['/readyz', '/api/v0/hosts'].map(to => {
      const socket = connect(Number(port), '127.0.0.1');
      const read = { text: '' };
      socket.on('data', data => {
        read.text += data;
      });
      return { to, socket, read, closed: once(socket, 'close') };
    });
    for (const { to, socket, read } of connections) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await expect.poll(() => read.text).toContain('keep-alive');
      read.text = '';
      socket.write(`GET ${to} HTTP/1.1\r\nHost: x\r\n`);
    }
    // This request is sent last. When it is answered, the server has started to read the others.
    await fetch(`http://127.0.0.1:${port}/healthz`);
    server.child.kill('SIGTERM');
    await server.waitForOutput(/"msg":"stopping"/);
    for (const { socket } of connections) socket.write('\r\n');
    for (const { read, closed } of connections) {
      await closed;
      expect(read.text).toMatch(/^HTTP\/1\.1 \d+ [\s\S]*\r\nconnection: close\r\n/i);
    }
    call.end('{"type":"none","options":{}}');
    const [response] = await once(call, 'response');
    expect(response.statusCode).toBe(201);
    expect(response.headers.connection).toBe('close');
    response.resume();
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  test('exits with 0 within ten seconds after SIGTERM when a request does not arrive', async () => {
    const server = runHostler(['serve'], settings({ HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '60' }));
    const { port } = new URL(await server.url());
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('PUT /api/v0/network/n HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n');
    await once(socket, 'ready');
    const startMs = performance.now();
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });

  test.each([
    ['once', 'async () => {}', 1, 0],
    ['twice', '() => new Promise(() => {})', 2, 1],
  ])(
    'exits at SIGTERM while a thread waits for a file that does not respond, sent %s',
    async (_case, stop, signals, code) => {
      const pipe = path.join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const script = `
      import { readFile } from 'node:fs/promises';
      import { createLog } from './src/lib/log.ts';
      import { stopOnSignals } from './src/server/serve.ts';
      const log = createLog('info', false);
      void readFile(process.env.PIPE);
      stopOnSignals(${stop}, log);
      log.info('started');
    `;
      const program = runCommand(process.execPath, ['--input-type=module', '--eval', script], { PIPE: pipe });
      await program.waitForOutput(/"msg":"started"/);
      program.child.kill('SIGTERM');
      await program.waitForOutput(/"msg":"stopping"/);
      if (signals > 1) program.child.kill('SIGTERM');
      expect(await program.ended).toEqual({ code, signal: null });
      expect(program.stderr.includes('"msg":"stopped"')).toBe(code === 0);
      expect(program.stderr).not.toContain('Warning');
    },
  );
});

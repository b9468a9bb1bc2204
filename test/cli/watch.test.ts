// Tests of `--watch` with a clock that the test advances.

import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { listen } from '../harness/http/sockets.ts';
import type { CliOptions } from '../harness/programs/cli.ts';
import { asAdmin, hostler } from '../harness/programs/cli.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';

const INTERVAL_MS = 2000;

/** Starts a command with --watch. `refresh` triggers one update and returns the new output. */
async function startWatching(line: string, options: CliOptions) {
  const timers: (() => void)[] = [];
  let [nowMs, stdout, stderr] = [Date.now(), '', ''];
  let interrupt = () => {};
  const clock = {
    ...systemClock,
    now: () => nowMs,
    setTimer: (ms: number, callback: () => void) => {
      expect(ms).toBe(INTERVAL_MS);
      timers.push(callback);
      return () => {};
    },
  };
  const ended = hostler(line, {
    ...{ ...options, clock },
    onStdout: text => {
      stdout = text;
    },
    onStderr: text => {
      stderr = text;
    },
    onInterruptible: stop => {
      interrupt = stop;
    },
  });
  const untilWaiting = () => waitUntil('the command waits', () => timers.length > 0);
  await untilWaiting();
  return {
    ended,
    interrupt: () => interrupt(),
    refresh: async () => {
      nowMs += INTERVAL_MS;
      const stdoutLength = stdout.length;
      const stderrLength = stderr.length;
      timers.shift()?.();
      await untilWaiting();
      return { stdout: stdout.slice(stdoutLength), stderr: stderr.slice(stderrLength) };
    },
    shown: () => stdout,
  };
}

describe('--watch', () => {
  let service: TestService;
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    service = await startTestService('sqlite');
    await service.makeHosts('active', undefined, '127.9.6.1');
    environment = asAdmin(service.url);
  });
  afterAll(() => service.stop());
  const run = (line: string) => hostler(line, { environment });

  test('prints each state once to a pipe and ends at Ctrl-C', async () => {
    await run('cluster create a');
    const { refresh, interrupt, ended, shown } = await startWatching('cluster list --watch', { environment });
    const head = 'NAME  STATUS  HOSTS  NETWORK  CONTAINER MANAGER\n';
    expect(shown()).toBe(`${head}a     ok        0/0  default\n`);
    expect(await refresh()).toEqual({ stdout: '', stderr: '' });
    await run('cluster create b');
    expect(await refresh()).toEqual({
      stdout: `\n${head}a     ok        0/0  default\nb     ok        0/0  default\n`,
      stderr: '',
    });
    expect((await refresh()).stdout).toBe('');
    interrupt();
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('does not print again to a pipe if only relative times changed', async () => {
    const { refresh, interrupt, ended, shown } = await startWatching('user list --watch', { environment });
    expect(shown()).toMatch(/^NAME .*\nadmin .* ago\n$/);
    expect(await refresh()).toEqual({ stdout: '', stderr: '' });
    interrupt();
    await ended;
  });

  test('redraws in place in a terminal, below the command line', async () => {
    const options = { environment, columns: 44 };
    const { refresh, interrupt, ended, shown } = await startWatching('host show 127.9.6.1 -w', options);
    expect(shown()).toContain('\rhostler host show 127.9.6.1 (Ctrl-C stops)\u001b[K\n\u001b[K\naddress: ');
    expect(shown()).not.toContain('\u001b[2J');
    expect((await refresh()).stdout).toBe('');
    await run('host maintenance 127.9.6.1 on --reason "its fan is loud, and an admin has to look"');
    const { stdout } = await refresh();
    expect(stdout).toContain('its fan is loud, and an admin\u001b[K\n has to look\u001b[K\n');
    expect(stdout).not.toContain('hostler host show');
    interrupt();
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(/\[\?25h$/) });
  });

  test('truncates the output to the height of the terminal', async () => {
    const { interrupt, ended, shown } = await startWatching('cluster list -o json -w', {
      ...{ environment, columns: 80 },
    });
    const lines = shown().split('\n');
    expect(lines.length).toBe(24);
    expect(lines.at(-2)).toMatch(/^… \d+ more lines/);
    interrupt();
    await ended;
  });

  test('sends no escape sequences to a dumb terminal', async () => {
    const { interrupt, ended, shown } = await startWatching('host list -w', {
      ...{ environment: { ...environment, TERM: 'dumb' }, columns: 80 },
    });
    expect(shown()).toMatch(/^HOSTNAME/);
    expect(shown()).not.toContain('\u001b');
    interrupt();
    await ended;
  });

  describe('during an outage of the server', () => {
    let isDown = false;
    /** Forwards requests to the server. */
    async function startRelay(): Promise<Readonly<Record<string, string>>> {
      const relay = createServer(async ({ url = '', headers: { authorization = '' } }, response) => {
        if (isDown) {
          response.writeHead(503).end();
          return;
        }
        const upstreamResponse = await fetch(new URL(url, service.url), { headers: { authorization } });
        response.writeHead(upstreamResponse.status).end(await upstreamResponse.text());
      });
      onTestFinished(() => {
        relay.close();
        relay.closeAllConnections();
      });
      return asAdmin(`http://127.0.0.1:${await listen(relay)}`);
    }

    test('retries while no server responds, and reports it once', async () => {
      isDown = false;
      const { refresh, interrupt, ended } = await startWatching('host list -w', {
        environment: await startRelay(),
      });
      isDown = true;
      expect((await refresh()).stderr).toBe('hostler: no server responds, retrying\n');
      expect((await refresh()).stderr).toBe('');
      isDown = false;
      expect(await refresh()).toEqual({ stdout: '', stderr: '' });
      interrupt();
      expect((await ended).exitCode).toBe(0);
    });

    test('reports it in the first line of a terminal', async () => {
      isDown = false;
      const { refresh, interrupt, ended } = await startWatching('host list -w', {
        ...{ environment: await startRelay(), columns: 80 },
      });
      isDown = true;
      expect((await refresh()).stdout).toContain('hostler host list (no server responds, retrying)\u001b[K\n\n\n\n');
      isDown = false;
      expect((await refresh()).stdout).toContain('hostler host list (Ctrl-C stops)\u001b[K\n');
      interrupt();
      await ended;
    });

    test('exits like other commands if the server was unreachable from the start', async () => {
      isDown = true;
      expect(await hostler('host list -w', { environment: await startRelay() })).toMatchObject({
        exitCode: 3,
      });
    });
  });

  test('ends immediately at Ctrl-C, also while the server does not respond', async () => {
    const requested = Promise.withResolvers<void>();
    const silentServer = createServer(() => requested.resolve());
    onTestFinished(() => {
      silentServer.close();
      silentServer.closeAllConnections();
    });
    const url = `http://127.0.0.1:${await listen(silentServer)}`;
    let interrupt = () => {};
    const ended = hostler('host list -w', {
      environment: asAdmin(url),
      onInterruptible: stop => {
        interrupt = stop;
      },
    });
    await requested.promise;
    interrupt();
    expect(await ended).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });
});

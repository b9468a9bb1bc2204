// `--watch`: the time between two looks passes when the test says so.

import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { listen } from '../harness/listen.ts';
import type { CliOptions } from '../harness/programs/cli.ts';
import { asAdmin, hostler } from '../harness/programs/cli.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const EVERY_MS = 2000;

/** A command that watches; `look` lets it look again, and ends when it waits for the next time. */
async function startWatching(line: string, options: CliOptions) {
  const waiting: (() => void)[] = [];
  let [nowMs, stdout, stderr] = [Date.now(), '', ''];
  let interrupt = () => {};
  const clock = {
    ...systemClock,
    now: () => nowMs,
    setTimer: (ms: number, callback: () => void) => {
      expect(ms).toBe(EVERY_MS);
      waiting.push(callback);
      return () => {};
    },
  };
  const ended = hostler(line, {
    ...{ ...options, clock },
    onWrite: text => {
      stdout = text;
    },
    onTell: text => {
      stderr = text;
    },
    onInterruptible: end => {
      interrupt = end;
    },
  });
  const isWaiting = () => until('it waits', () => waiting.length > 0);
  await isWaiting();
  return {
    ended,
    interrupt: () => interrupt(),
    look: async () => {
      nowMs += EVERY_MS;
      const before = stdout.length;
      const saidBefore = stderr.length;
      waiting.shift()?.();
      await isWaiting();
      return { stdout: stdout.slice(before), stderr: stderr.slice(saidBefore) };
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

  test('in a pipe prints each state once, and ends at Ctrl-C', async () => {
    await run('cluster create a');
    const { look, interrupt, ended, shown } = await startWatching('cluster list --watch', { environment });
    const head = 'NAME  STATUS  HOSTS  NETWORK  CONTAINER MANAGER\n';
    expect(shown()).toBe(`${head}a     ok        0/0  default\n`);
    expect(await look()).toEqual({ stdout: '', stderr: '' });
    await run('cluster create b');
    expect(await look()).toEqual({
      stdout: `\n${head}a     ok        0/0  default\nb     ok        0/0  default\n`,
      stderr: '',
    });
    expect((await look()).stdout).toBe('');
    interrupt();
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('in a pipe does not take the passing of time for a change', async () => {
    const { look, interrupt, ended, shown } = await startWatching('user list --watch', { environment });
    expect(shown()).toMatch(/^NAME .*\nadmin .* ago\n$/);
    expect(await look()).toEqual({ stdout: '', stderr: '' });
    interrupt();
    await ended;
  });

  test('in a terminal stays in its place, under what was typed', async () => {
    const options = { environment, columns: 44 };
    const { look, interrupt, ended, shown } = await startWatching('host show 127.9.6.1 -w', options);
    expect(shown()).toContain('\rhostler host show 127.9.6.1 (Ctrl-C stops)\u001b[K\n\u001b[K\naddress: ');
    expect(shown()).not.toContain('\u001b[2J');
    expect((await look()).stdout).toBe('');
    await run('host maintenance 127.9.6.1 on --reason "its fan is loud, and somebody has to look"');
    const { stdout } = await look();
    expect(stdout).toContain('its fan is loud, and somebody\u001b[K\n has to look\u001b[K\n');
    expect(stdout).not.toContain('hostler host show');
    interrupt();
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(/\[\?25h$/) });
  });

  test('shows as much as a terminal has room for', async () => {
    const { interrupt, ended, shown } = await startWatching('cluster list -o json -w', {
      ...{ environment, columns: 80 },
    });
    const lines = shown().split('\n');
    expect(lines.length).toBe(24);
    expect(lines.at(-2)).toMatch(/^… \d+ more lines/);
    interrupt();
    await ended;
  });

  test('sends nothing but text to a terminal that is dumb', async () => {
    const { interrupt, ended, shown } = await startWatching('host list -w', {
      ...{ environment: { ...environment, TERM: 'dumb' }, columns: 80 },
    });
    expect(shown()).toMatch(/^ADDRESS/);
    expect(shown()).not.toContain('\u001b');
    interrupt();
    await ended;
  });

  describe('when the service is away for a while', () => {
    let isAway = false;
    /** Passes on what it is asked. */
    async function startRelay(): Promise<Readonly<Record<string, string>>> {
      const relay = createServer(async ({ url = '', headers: { authorization = '' } }, response) => {
        if (isAway) {
          response.writeHead(503).end();
          return;
        }
        const answer = await fetch(new URL(url, service.url), { headers: { authorization } });
        response.writeHead(answer.status).end(await answer.text());
      });
      onTestFinished(() => {
        relay.close();
        relay.closeAllConnections();
      });
      return asAdmin(`http://127.0.0.1:${await listen(relay)}`);
    }

    test('retries while no server responds, and reports it once', async () => {
      isAway = false;
      const { look, interrupt, ended } = await startWatching('host list -w', {
        environment: await startRelay(),
      });
      isAway = true;
      expect((await look()).stderr).toBe('hostler: no server responds, retrying\n');
      expect((await look()).stderr).toBe('');
      isAway = false;
      expect(await look()).toEqual({ stdout: '', stderr: '' });
      interrupt();
      expect((await ended).exitCode).toBe(0);
    });

    test('says so above what it shows in a terminal', async () => {
      isAway = false;
      const { look, interrupt, ended } = await startWatching('host list -w', {
        ...{ environment: await startRelay(), columns: 80 },
      });
      isAway = true;
      expect((await look()).stdout).toContain(
        'hostler host list (no server responds, retrying)\u001b[K\n\n\n\n',
      );
      isAway = false;
      expect((await look()).stdout).toContain('hostler host list (Ctrl-C stops)\u001b[K\n');
      interrupt();
      await ended;
    });

    test('ends as other commands do if it was away from the beginning', async () => {
      isAway = true;
      expect(await hostler('host list -w', { environment: await startRelay() })).toMatchObject({
        exitCode: 3,
      });
    });
  });

  test('Ctrl-C ends it at once, also while nobody answers', async () => {
    const asked = Promise.withResolvers<void>();
    const silent = createServer(() => asked.resolve());
    onTestFinished(() => {
      silent.close();
      silent.closeAllConnections();
    });
    const url = `http://127.0.0.1:${await listen(silent)}`;
    let interrupt = () => {};
    const ended = hostler('host list -w', {
      environment: asAdmin(url),
      onInterruptible: end => {
        interrupt = end;
      },
    });
    await asked.promise;
    interrupt();
    expect(await ended).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });
});

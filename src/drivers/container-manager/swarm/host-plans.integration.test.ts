import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JOIN_SCRIPT, LEAVE_SCRIPT } from './host-plans.ts';

const REQUEST = '{"JoinToken":"SWMTKN-1-secret","RemoteAddrs":["10.0.0.9:2377"]}';
const NODES = 'manager1 worker1';
const MANAGERS = ['manager1', '10.0.0.9:2377'];

/** `output` is the command that prints the result of `docker info`. `docker swarm leave` succeeds and is recorded. */
const docker = (output: string) => `
case "$1 $2" in
  'info --format') if [ -e "$HOST/left" ]; then echo 'inactive -'; else ${output}; fi ;;
  'swarm leave') echo 'Node left the swarm.'; echo >"$HOST/left" ;;
esac`;

const curl = (response: string) => `IFS= read -r line; echo "curl reads $line" >>"$HOST/calls"; ${response}`;

const TOOLS = {
  docker: docker("echo 'inactive -'"),
  curl: curl("printf ' 200'"),
};

// bash treats a socket on standard input as a remote login and would read startup files.
const SHELLS = [['dash'], ['bash', '--norc'], ['busybox', 'sh']] as const;
const isInstalled = ([shell, ...args]: readonly [string, ...string[]]) =>
  spawnSync(shell, [...args, '-c', 'true']).status === 0;

/** Directory with all programs of the host. */
let host = '';
beforeEach(() => {
  host = mkdtempSync(path.join(tmpdir(), 'hostler-swarm-'));
});
afterEach(() => rmSync(host, { recursive: true }));

function installTools(tools: Readonly<Record<string, string>>): void {
  for (const [name, script] of Object.entries(tools)) {
    writeFileSync(path.join(host, name), `#!/bin/sh\necho "${name} $*" >>"$HOST/calls"\n${script}\n`);
    chmodSync(path.join(host, name), 0o755);
  }
}

/** Recorded calls without `docker info`. */
function calls(): string[] {
  const file = path.join(host, 'calls');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.filter(line => !line.startsWith('docker info'));
}

const findProgram = (program: string) => spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim();

describe.each(SHELLS.filter(isInstalled).map(shell => ({ shell })))('swarm scripts with $shell', ({ shell }) => {
  const [program, ...shellArgs] = shell;
  const shellPath = findProgram(program);

  function run(script: string, tools: Readonly<Record<string, string>>, input = `${REQUEST}\n${NODES}\n`) {
    installTools(tools);
    const { status, stdout, stderr } = spawnSync(shellPath, [...shellArgs, '-c', script, 'sh', ...MANAGERS], {
      env: { PATH: host, HOST: host },
      input,
      encoding: 'utf8',
      timeout: 20_000,
    });
    return { exitCode: status, calls: calls(), output: `${stdout}${stderr}`.trim() };
  }

  test('join without the token in an argument', () => {
    const { exitCode, calls } = run(JOIN_SCRIPT, TOOLS);
    expect([exitCode, calls[1], calls.length]).toEqual([0, `curl reads ${REQUEST}`, 2]);
    expect(calls[0]).toMatch(/^curl -q .*--unix-socket \/var\/run\/docker\.sock .*http:\/\/docker\/swarm\/join$/);
    expect(calls[0]).not.toContain('SWMTKN');
  });

  test.each([
    ['is a node already', 'active worker1 manager1', 0, /^$/],
    ['is a manager itself', 'active manager1 manager1', 0, /^$/],
    ['reconnects as a node', 'pending worker1 manager1', 0, /^$/],
    [
      'is in another swarm',
      'active worker9 manager9 10.0.0.8:2377',
      1,
      /^the host is in another swarm; if it may leave, run/,
    ],
    // Same address with another ID: the swarm was created again.
    ['is in an earlier swarm at the same address', 'active worker1 manager0', 1, /^the host is in another swarm/],
    ['is still trying to join', 'pending - 10.0.0.9:2377', 1, /still trying to join; .* port 2377/],
    ['is trying to join another swarm', 'pending - 10.0.0.8:2377', 1, /is in another swarm/],
    ['has a swarm error', 'error -', 1, /docker swarm leave --force/],
    ['has a locked swarm', 'locked -', 1, /is in another swarm/],
    ['reports no swarm state', '', 1, /cannot parse .* docker info/],
  ])('send no join request if the host %s', (_label, info, exitCode, output) => {
    const result = run(JOIN_SCRIPT, { ...TOOLS, docker: docker(`echo '${info}'`) });
    expect(result).toEqual({ exitCode, calls: [], output: expect.stringMatching(output) });
  });

  test('leave before joining if the host is no longer a node', () => {
    const result = run(JOIN_SCRIPT, { ...TOOLS, docker: docker("echo 'pending worker7 manager1'") });
    expect(result.exitCode).toBe(0);
    expect(result.calls.map(call => call.split(' ').slice(0, 2).join(' '))).toEqual([
      ...['docker swarm', 'curl -q', 'curl reads'],
    ]);
  });

  test.each([
    [
      'rejects the request',
      `printf '{"message":"invalid * token"}\\n 500'`,
      'Docker rejected the join: {"message":"invalid * token"} 500',
    ],
    [
      'rejects with 200 in the message',
      'printf \'{"message":"200"} 503\'',
      'Docker rejected the join: {"message":"200"} 503',
    ],
    ['does not respond', 'exit 7', 'Docker does not respond at /var/run/docker.sock'],
  ])('print one line when Docker %s', (_label, response, output) => {
    const result = run(JOIN_SCRIPT, { ...TOOLS, curl: curl(response) });
    expect([result.exitCode, result.output]).toEqual([1, output]);
  });

  test('report that Docker is not running', () => {
    const tools = { ...TOOLS, docker: 'exit 1' };
    for (const script of [JOIN_SCRIPT, LEAVE_SCRIPT])
      expect(run(script, tools)).toMatchObject({
        exitCode: 1,
        output: expect.stringMatching(/check that Docker is running/),
      });
  });

  test('fail to join without input', () => {
    expect(run(JOIN_SCRIPT, TOOLS, '')).toMatchObject({ exitCode: 1, calls: [] });
  });

  test.each([
    ['is in no swarm', 'inactive -', []],
    ['is in the swarm', 'active worker1 manager1', ['docker swarm leave']],
    ['was removed from the swarm', 'pending worker7 manager1', ['docker swarm leave']],
    ['has not completed the join', 'pending - 10.0.0.9:2377', ['docker swarm leave']],
    ['is in another swarm', 'active worker9 manager9', []],
    ['has a swarm error', 'error -', []],
  ])('leave only this swarm when the host %s', (_label, info, calls) => {
    const result = run(LEAVE_SCRIPT, { docker: docker(`echo '${info}'`) });
    expect(result).toMatchObject({ exitCode: 0, calls });
  });

  test('leave nothing on a host without Docker', () => {
    expect(run(LEAVE_SCRIPT, {})).toEqual({ exitCode: 0, calls: [], output: '' });
  });
});

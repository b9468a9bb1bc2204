import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JOIN_SCRIPT, LEAVE_SCRIPT } from './host-plans.ts';

const REQUEST = '{"JoinToken":"SWMTKN-1-secret","RemoteAddrs":["10.0.0.9:2377"]}';
const NODES = 'manager1 worker1';
const MANAGERS = ['manager1', '10.0.0.9:2377'];

/** `said` is what `docker info` prints; leaving works, and shows. */
const docker = (output: string) => `
case "$1 $2" in
  'info --format') if [ -e "$HOST/left" ]; then echo 'inactive -'; else ${output}; fi ;;
  'swarm leave') echo 'Node left the swarm.'; echo >"$HOST/left" ;;
esac`;

const curl = (answer: string) => `IFS= read -r line; echo "curl reads $line" >>"$HOST/calls"; ${answer}`;

const TOOLS = {
  docker: docker("echo 'inactive -'"),
  curl: curl("printf ' 200'"),
};

// Bash takes an input that is a socket for a login from afar.
const SHELLS = [['dash'], ['bash', '--norc'], ['busybox', 'sh']] as const;
const isThere = ([shell, ...args]: readonly [string, ...string[]]) =>
  spawnSync(shell, [...args, '-c', 'true']).status === 0;

/** The host has what is in this folder, and no other program. */
let host = '';
beforeEach(() => {
  host = mkdtempSync(path.join(tmpdir(), 'hostler-swarm-'));
});
afterEach(() => rmSync(host, { recursive: true }));

function give(tools: Readonly<Record<string, string>>): void {
  for (const [name, script] of Object.entries(tools)) {
    writeFileSync(path.join(host, name), `#!/bin/sh\necho "${name} $*" >>"$HOST/calls"\n${script}\n`);
    chmodSync(path.join(host, name), 0o755);
  }
}

/** How the tools were called, and what for; what Docker says of itself may be asked at any time. */
function calls(): string[] {
  const file = path.join(host, 'calls');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.filter(line => !line.startsWith('docker info'));
}

const whereIs = (program: string) => spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim();

describe.each(SHELLS.filter(isThere).map(shell => ({ shell })))('a host with $shell', ({ shell }) => {
  const [program, ...words] = shell;
  const shellPath = whereIs(program);

  function run(script: string, tools: Readonly<Record<string, string>>, input = `${REQUEST}\n${NODES}\n`) {
    give(tools);
    const { status, stdout, stderr } = spawnSync(shellPath, [...words, '-c', script, 'sh', ...MANAGERS], {
      env: { PATH: host, HOST: host },
      input,
      encoding: 'utf8',
      timeout: 20_000,
    });
    return { exitCode: status, calls: calls(), output: `${stdout}${stderr}`.trim() };
  }

  test('joins; the token is in no argument', () => {
    const { exitCode, calls } = run(JOIN_SCRIPT, TOOLS);
    expect([exitCode, calls[1], calls.length]).toEqual([0, `curl reads ${REQUEST}`, 2]);
    expect(calls[0]).toMatch(
      /^curl -q .*--unix-socket \/var\/run\/docker\.sock .*http:\/\/docker\/swarm\/join$/,
    );
    expect(calls[0]).not.toContain('SWMTKN');
  });

  test.each([
    ['is a node already', 'active worker1 manager1', 0, /^$/],
    ['is a manager itself', 'active manager1 manager1', 0, /^$/],
    ['comes back as a node', 'pending worker1 manager1', 0, /^$/],
    [
      'is in another swarm',
      'active worker9 manager9 10.0.0.8:2377',
      1,
      /^the host is in another swarm; if it may leave, run/,
    ],
    // The same address, and another ID: the swarm was made anew.
    ['is in a swarm that was there before', 'active worker1 manager0', 1, /^the host is in another swarm/],
    ['is still trying to join', 'pending - 10.0.0.9:2377', 1, /still trying to join; .* port 2377/],
    ['is trying to join another', 'pending - 10.0.0.8:2377', 1, /is in another swarm/],
    ['cannot go on with its swarm', 'error -', 1, /docker swarm leave --force/],
    ['has a swarm that is locked', 'locked -', 1, /is in another swarm/],
    ['says nothing', '', 1, /cannot parse .* docker info/],
  ])('that %s asks for nothing', (_what, info, exitCode, output) => {
    const result = run(JOIN_SCRIPT, { ...TOOLS, docker: docker(`echo '${info}'`) });
    expect(result).toEqual({ exitCode, calls: [], output: expect.stringMatching(output) });
  });

  test('that is no node any more leaves before it joins anew', () => {
    const result = run(JOIN_SCRIPT, { ...TOOLS, docker: docker("echo 'pending worker7 manager1'") });
    expect(result.exitCode).toBe(0);
    expect(result.calls.map(call => call.split(' ').slice(0, 2).join(' '))).toEqual([
      ...['docker swarm', 'curl -q', 'curl reads'],
    ]);
  });

  test.each([
    [
      'refuses',
      `printf '{"message":"invalid * token"}\\n 500'`,
      'Docker rejected the join: {"message":"invalid * token"} 500',
    ],
    [
      'has 200 in its refusal',
      'printf \'{"message":"200"} 503\'',
      'Docker rejected the join: {"message":"200"} 503',
    ],
    ['is not there', 'exit 7', 'Docker does not respond at /var/run/docker.sock'],
  ])('says in one line when Docker %s', (_what, answer, output) => {
    const result = run(JOIN_SCRIPT, { ...TOOLS, curl: curl(answer) });
    expect([result.exitCode, result.output]).toEqual([1, output]);
  });

  test('says that Docker does not run', () => {
    const tools = { ...TOOLS, docker: 'exit 1' };
    for (const script of [JOIN_SCRIPT, LEAVE_SCRIPT])
      expect(run(script, tools)).toMatchObject({
        exitCode: 1,
        output: expect.stringMatching(/check that Docker is running/),
      });
  });

  test('joins nothing when nothing was said', () => {
    expect(run(JOIN_SCRIPT, TOOLS, '')).toMatchObject({ exitCode: 1, calls: [] });
  });

  test.each([
    ['is in no swarm', 'inactive -', []],
    ['is in the swarm', 'active worker1 manager1', ['docker swarm leave']],
    ['was removed from it', 'pending worker7 manager1', ['docker swarm leave']],
    ['never came into it', 'pending - 10.0.0.9:2377', ['docker swarm leave']],
    ['is in another', 'active worker9 manager9', []],
    ['cannot go on with one', 'error -', []],
  ])('that %s leaves this swarm and no other', (_what, info, calls) => {
    const result = run(LEAVE_SCRIPT, { docker: docker(`echo '${info}'`) });
    expect(result).toMatchObject({ exitCode: 0, calls });
  });

  test('that has no Docker has nothing to leave', () => {
    expect(run(LEAVE_SCRIPT, {})).toEqual({ exitCode: 0, calls: [], output: '' });
  });
});

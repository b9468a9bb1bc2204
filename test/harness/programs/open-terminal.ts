import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { PROJECT } from './process.ts';

const run = promisify(execFile);

/** A tmux terminal with a shell, on its own tmux server. */
export function openTerminal(environment: Readonly<Record<string, string>>, shell = 'sh') {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-test-'));
  const tmux = ['-S', path.join(folder, 'socket'), '-f', '/dev/null'];
  const variables = Object.entries({ ...environment, TERM: 'tmux' });
  const variableArgs = variables.flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const size = ['-x', '80', '-y', '12'];
  const options = { cwd: PROJECT, env: { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8' } };
  execFileSync('tmux', [...tmux, 'new-session', '-d', ...size, ...variableArgs, shell], options);
  onTestFinished(() => {
    execFileSync('tmux', [...tmux, 'kill-server']);
    rmSync(folder, { recursive: true, force: true });
  });
  const runTmux = async (...args: string[]) => (await run('tmux', [...tmux, ...args], options)).stdout;
  const capture = () => runTmux('capture-pane', '-p');
  let last = '';
  return {
    runTmux,
    type: (...keys: string[]) => runTmux('send-keys', ...keys),
    waitForText: (pattern: RegExp) =>
      waitUntil(
        () => `${pattern} is seen, but:\n${last}`,
        async () => {
          last = await capture();
          return pattern.test(last) && last;
        },
      ),
  };
}

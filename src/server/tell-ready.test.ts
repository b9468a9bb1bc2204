import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../test/harness/until.ts';
import { tellReady } from './tell-ready.ts';

/** A folder with a program in the place of systemd's, which notes what it is told. */
function pretendNotify(code: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-notify-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = `#!/bin/sh\nprintf '%s\\n' "$NOTIFY_SOCKET" "$@" "\${HOSTLER_SECRET_KEY-no secret}" >${folder}/told\nexit ${code}\n`;
  writeFileSync(path.join(folder, 'systemd-notify'), script, { mode: 0o755 });
  return { folder, told: () => readFileSync(path.join(folder, 'told'), 'utf8') };
}

function tell(environment: Record<string, string>) {
  const warned: unknown[] = [];
  tellReady(environment, 'http://127.0.0.1:8000', { warn: (fields: unknown) => void warned.push(fields) });
  return warned;
}

test('systemd is told by its own program, which gets none of the secrets', async () => {
  const { folder, told } = pretendNotify(1);
  const warned = tell({ NOTIFY_SOCKET: '/run/notify', PATH: folder, HOSTLER_SECRET_KEY: 'x' });
  await until('it has ended', () => warned.length > 0);
  expect(told().split('\n')).toEqual([
    ...['/run/notify', '--ready', '--status=listening at http://127.0.0.1:8000', 'no secret', ''],
  ]);
  expect(warned).toEqual([{ problem: 'systemd-notify exited with status 1' }]);
});

test('where that program is missing, the log says so', async () => {
  const warned = tell({ NOTIFY_SOCKET: '/run/notify', PATH: '/nowhere' });
  await until('it is told', () => warned.length > 0);
  expect(warned).toEqual([{ problem: expect.stringContaining('ENOENT') }]);
});

test('nothing is started where nobody asks', () => {
  expect(tell({ PATH: '/nowhere' })).toEqual([]);
});

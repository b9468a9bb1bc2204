import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../test/harness/wait-until.ts';
import { notifySystemd } from './serve.ts';

/** A folder with a fake systemd-notify that records its arguments. */
function installFakeSystemdNotify(code: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-notify-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = `#!/bin/sh\nprintf '%s\\n' "$NOTIFY_SOCKET" "$@" "\${HOSTLER_SECRET_KEY-no secret}" >${folder}/call\nexit ${code}\n`;
  writeFileSync(path.join(folder, 'systemd-notify'), script, { mode: 0o755 });
  return { folder, readCall: () => readFileSync(path.join(folder, 'call'), 'utf8') };
}

function notify(environment: Record<string, string>) {
  const warnings: unknown[] = [];
  notifySystemd(environment, 'http://127.0.0.1:8000', {
    warn: (fields: unknown) => void warnings.push(fields),
  });
  return warnings;
}

test('notifySystemd() runs systemd-notify without any secrets in its environment', async () => {
  const { folder, readCall } = installFakeSystemdNotify(1);
  const warnings = notify({ NOTIFY_SOCKET: '/run/notify', PATH: folder, HOSTLER_SECRET_KEY: 'x' });
  await waitUntil('systemd-notify has ended', () => warnings.length > 0);
  expect(readCall().split('\n')).toEqual([
    ...['/run/notify', '--ready', '--status=listening at http://127.0.0.1:8000', 'no secret', ''],
  ]);
  expect(warnings).toEqual([{ problem: 'systemd-notify exited with status 1' }]);
});

test('notifySystemd() logs a warning if systemd-notify is missing', async () => {
  const warnings = notify({ NOTIFY_SOCKET: '/run/notify', PATH: '/nowhere' });
  await waitUntil('the warning is logged', () => warnings.length > 0);
  expect(warnings).toEqual([{ problem: expect.stringContaining('ENOENT') }]);
});

test('notifySystemd() does nothing without NOTIFY_SOCKET', () => {
  expect(notify({ PATH: '/nowhere' })).toEqual([]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatCommand,
  formatCommandInput,
  formatDuration,
  formatSize,
  formatUptime,
  getHostKeyPath,
  parseCommand,
  utcTime,
} from './format.ts';

test.each([
  ['2026-11-15T12:03:05.710454', '2026-11-15 12:03:05 UTC'],
  [null, ''],
  ['', ''],
])('utcTime() formats %j as %j', (timestamp, text) => {
  expect(utcTime(timestamp)).toBe(text);
});

test.each([
  [0, '0s'],
  [59_400, '59s'],
  [60_000, '1m'],
  [130_000, '2m 10s'],
  [3_600_000, '1h'],
  [11_100_000, '3h 5m'],
  [86_400_000, '1d'],
  [3 * 86_400_000 + 7_200_000, '3d 2h'],
])('formatDuration() formats %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each<[Parameters<typeof formatUptime>[0], string]>([
  [{ status: 'active', booted_at: '2026-11-12T08:00:00.000000' }, 'up 3d 4h'],
  [{ status: 'bootstrapping', booted_at: '2026-11-15T11:59:30.000000' }, 'up 30s'],
  [{ status: 'unreachable', booted_at: '2026-11-12T08:00:00.000000' }, ''],
  [{ status: 'failed', booted_at: '2026-11-12T08:00:00.000000' }, ''],
  [{ status: 'active', booted_at: '' }, ''],
  [{ status: 'active' }, ''],
])('formatUptime() formats %j as %j', (host, text) => {
  expect(formatUptime(host, Date.parse('2026-11-15T12:00:00Z'))).toBe(text);
});

test.each([
  ['0 as an empty text', 0, ''],
  ['less than a MiB', 640, '640 KiB'],
  ['a value just below the next unit', 1023, '1023 KiB'],
  ['a small value with one decimal', 1536, '1.5 MiB'],
  ['a larger value without decimals', 16_000_000, '15 GiB'],
  ['a value beyond the largest unit', 2 ** 63, '8388608 PiB'],
])('formatSize() formats %s', (_name, kib, text) => {
  expect(formatSize(kib)).toBe(text);
});

test.each([
  [['systemctl', 'restart', 'a@1.service'], 'systemctl restart a@1.service'],
  [['sh', '-c', 'a b'], "sh -c 'a b'"],
  [['echo', "it's", ''], "echo 'it'\\''s' ''"],
])('formatCommand() formats %j as %s', (argv, formatted) => {
  expect(formatCommand(argv)).toBe(formatted);
});

test.each([
  ['  curl  -fsS\thttp://127.0.0.1 ', ['curl', '-fsS', 'http://127.0.0.1']],
  [' ["sh", "-c", "a b"]', ['sh', '-c', 'a b']],
  ['[1]', undefined],
  ['["sh"', undefined],
])('parseCommand() parses %j as %j', (text, argv) => {
  expect(parseCommand(text)).toEqual(argv);
});

test('parseCommand() is the inverse of formatCommandInput()', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom('[', '[x', ' ', '', '"', '\u2028'));
  fc.assert(
    fc.property(fc.array(word), argv => {
      expect(parseCommand(formatCommandInput(argv))).toEqual(argv);
    }),
  );
});

test.each([
  ['ssh-ed25519', '/etc/ssh/ssh_host_ed25519_key.pub'],
  ['ssh-rsa', '/etc/ssh/ssh_host_rsa_key.pub'],
  ['ecdsa-sha2-nistp256', '/etc/ssh/ssh_host_ecdsa_key.pub'],
  ['unknown-type', '/etc/ssh/ssh_host_ed25519_key.pub'],
])('getHostKeyPath() of %s is %s', (type, file) => {
  expect(getHostKeyPath(type)).toBe(file);
});

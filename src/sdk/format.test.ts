import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { formatTimestamp, parseTimestamp, utcTime as serverUtcTime } from '../domain/timestamp.ts';
import {
  formatCommand,
  formatCommandInput,
  formatDuration,
  formatSize,
  getHostKeyPath,
  parseCommand,
  parseWireTime,
  toWireTime,
  utcTime,
} from './format.ts';

test.each([0, 1.9, Date.UTC(2026, 10, 15, 8, 30, 0, 710)])(
  'clients write %d as the service does',
  epochMs => {
    expect(toWireTime(epochMs)).toBe(formatTimestamp(epochMs));
  },
);

test('clients read a time as the service does', () => {
  const timestamp = '2015-12-17T15:48:18.710454';
  expect(parseWireTime(timestamp)).toBe(parseTimestamp(timestamp));
});

test('clients print a time as messages of the server do', () => {
  const timestamp = '2015-12-17T15:48:18.710454';
  expect(utcTime(timestamp)).toBe(serverUtcTime(timestamp));
});

test.each([
  ['2026-11-15T12:03:05.710454', '2026-11-15 12:03:05 UTC'],
  [null, ''],
  ['', ''],
])('people read the time %j as %j', (timestamp, text) => {
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
])('people read a duration of %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  ['nothing is not known', 0, ''],
  ['less than a MiB', 640, '640 KiB'],
  ['just below the next unit', 1023, '1023 KiB'],
  ['a small number has a place after the point', 1536, '1.5 MiB'],
  ['a larger one has none', 16_000_000, '15 GiB'],
  ['beyond the largest unit', 2 ** 63, '8388608 PiB'],
])('%s', (_name, kib, text) => {
  expect(formatSize(kib)).toBe(text);
});

test.each([
  [['systemctl', 'restart', 'a@1.service'], 'systemctl restart a@1.service'],
  [['sh', '-c', 'a b'], "sh -c 'a b'"],
  [['echo', "it's", ''], "echo 'it'\\''s' ''"],
])('%j is shown as %s', (argv, formatted) => {
  expect(formatCommand(argv)).toBe(formatted);
});

test.each([
  ['  curl  -fsS\thttp://127.0.0.1 ', ['curl', '-fsS', 'http://127.0.0.1']],
  [' ["sh", "-c", "a b"]', ['sh', '-c', 'a b']],
  ['[1]', undefined],
  ['["sh"', undefined],
])('%j is read as %j', (text, argv) => {
  expect(parseCommand(text)).toEqual(argv);
});

test('what is written for a command is read as the same command', () => {
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
  ['of-another-day', '/etc/ssh/ssh_host_ed25519_key.pub'],
])('a key %s is in %s', (type, file) => {
  expect(getHostKeyPath(type)).toBe(file);
});

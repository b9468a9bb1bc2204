import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulatedResult } from '../../simulator/simulated-machine.ts';
import { countCpus, livenessQuery, sumDiskSpace } from './facts.ts';
import { createOsRegistry } from './index.ts';

const { facts } = createOsRegistry();
const BOOT_ID = '0f5ad1f2-2b8e-4a11-9d59-6b0ff4f0a9c3';

const factsOutput = (...lines: readonly string[]) =>
  ['hostler-facts-begin', `boot-id ${BOOT_ID}`, ...lines, 'hostler-facts-end', ''].join('\n');
const read = (text: string) => facts.parse(simulatedResult(0, text));

describe('facts query', () => {
  test('parses the lines between the markers and ignores other output', () => {
    const output = factsOutput(
      'hostname web-1',
      'kernel 6.1.0-28-amd64',
      'architecture x86_64',
      'uptime 3600.97',
      'os-release ID=debian',
      'os-release PRETTY_NAME="Debian GNU/Linux 12"',
      'tool apt-get',
      'online 0-3',
      'memory 8148800',
    );
    const expected = {
      hostname: 'web-1',
      bootId: BOOT_ID,
      os: 'debian',
      osDriver: 'apt',
      osVersion: 'Debian GNU/Linux 12',
      kernel: '6.1.0-28-amd64',
      architecture: 'x86_64',
      uptimeS: 3600,
      cpus: 4,
      memoryKib: 8_148_800,
      spaceKib: 0,
    };
    expect(read(output)).toEqual(expected);
    expect(read(`Last login: today\nhostname fake\n${output}logout\n`)).toEqual(expected);
    expect(read(output.replaceAll('\n', '\r\n'))).toEqual(expected);
  });

  test.each([
    ['no output', ''],
    ['a missing end marker', factsOutput('online 0').replace('hostler-facts-end', '')],
    ['a missing begin marker', factsOutput('online 0').replace('hostler-facts-begin', '')],
    ['no boot ID', factsOutput('online 0').replace(BOOT_ID, '')],
    ['an invalid boot ID', factsOutput('online 0').replace(BOOT_ID, `${BOOT_ID}0`)],
  ])('returns undefined with %s', (_label, text) => {
    expect(read(text)).toBeUndefined();
  });

  test('returns empty facts for a host that reports only its boot ID', () => {
    expect(read(factsOutput())).toEqual({
      hostname: '',
      bootId: BOOT_ID,
      os: 'other',
      osDriver: '',
      osVersion: '',
      kernel: '',
      architecture: '',
      uptimeS: 0,
      cpus: 0,
      memoryKib: 0,
      spaceKib: 0,
    });
  });

  test.each([
    ['kernel', '$(reboot)'],
    ['kernel', 'a'.repeat(101)],
    ['architecture', 'x86 64'],
    ['uptime', '-5'],
    ['uptime', '9'.repeat(16)],
  ])('ignores an invalid %s %j', (key, value) => {
    expect(read(factsOutput(`${key} ${value}`))).toMatchObject({ kernel: '', architecture: '', uptimeS: 0 });
  });

  test.each([
    ['web-1.example.com', 'web-1.example.com'],
    ['localhost', 'localhost'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['a'.repeat(65), ''],
    ['a'.repeat(1_000_000), ''],
    ['"; drop', ''],
    ['evil\u001b[31m', ''],
    ['-f', ''],
    ['(none)', ''],
    ['a..b', ''],
    ['a.', ''],
    ['.a', ''],
    ['a-.b', ''],
    ['a.-b', ''],
    ['a_1.b-2', 'a_1.b-2'],
  ])('parses the host name %o', (hostname, expectedName) => {
    expect(read(factsOutput(`hostname ${hostname}`))?.hostname).toBe(expectedName);
  });

  test.each([
    ['0', 1],
    ['0-3', 4],
    ['0-3,5', 5],
    ['0,2,4-7,31', 7],
    ['0-8191', 8192],
    ['3-0', 0],
    ['0-999999', 0],
    ['', 0],
    ['-1', 0],
    ['0-3,', 0],
    ['many', 0],
  ])('countCpus of %j is %d', (list, count) => {
    expect(countCpus(list)).toBe(count);
  });

  test('uses the processor count if the online list is missing', () => {
    expect(read(factsOutput('processors 6'))?.cpus).toBe(6);
    expect(read(factsOutput('processors 99999999'))?.cpus).toBe(0);
  });

  test.each(['-1', '1e9', '99999999999999999999', '9007199254740993', '0x10', 'NaN', ''])(
    'returns 0 for the memory %j',
    memory => {
      expect(read(factsOutput(`memory ${memory}`))?.memoryKib).toBe(0);
    },
  );

  test('sumDiskSpace counts each file system once', () => {
    expect(
      sumDiskSpace([
        'Filesystem     1024-blocks     Used Available Capacity Mounted on',
        '/dev/sda2         41152812 24945020  16207792      61% /',
        '/dev/sda1           523248     5976    517272       2% /boot/efi',
        '/dev/sda2         41152812 24945020  16207792      61% /var/lib/x',
        'tank/my data       1000000        0   1000000       0% /srv/my data',
        'overlay                  -        -         -       - /gone',
        '/dev/sdb1                0        0         0       - /empty',
        'df: /root: Permission denied',
      ]),
    ).toBe(41_152_812 + 523_248 + 1_000_000);
  });

  test('sumDiskSpace returns 0 for implausible sizes', () => {
    expect(sumDiskSpace(['/dev/sda1 9999999999999999 0 0 0% /'])).toBe(0);
    expect(sumDiskSpace(['/dev/sda1 -5 0 0 0% /'])).toBe(0);
    expect(sumDiskSpace(['a', 'b'].map(name => `${name} ${2 ** 50} 0 0 0% /`))).toBe(0);
  });

  test('never throws and returns only known OS names', () => {
    const systems = new Set(createOsRegistry().osNames);
    const line = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom('hostname', 'os-release', 'online', 'memory', 'disk', 'tool'), fc.string())
        .map(([key, value]) => `${key} ${value}`),
      fc.string({ unit: fc.constantFrom('a', '-', '"', '=', '\\') }).map(id => `os-release ID=${id}`),
    );
    fc.assert(
      fc.property(fc.array(line), lines => {
        const found = read(factsOutput(...lines));
        expect(found === undefined || systems.has(found.os)).toBe(true);
      }),
    );
  });
});

describe('liveness query', () => {
  test.each([
    ['without other output', `${BOOT_ID}\n`],
    ['with carriage returns', `${BOOT_ID}\r\n`],
    ['between other output', `Welcome to web-1\n${BOOT_ID}\nBye\n`],
  ])('parses a boot ID %s', (_label, text) => {
    expect(livenessQuery.parse(simulatedResult(0, text))).toEqual({ bootId: BOOT_ID });
  });

  test.each(['', 'cat: not found\n', `${BOOT_ID}x\n`, BOOT_ID.toUpperCase()])('returns undefined for %j', text => {
    expect(livenessQuery.parse(simulatedResult(0, text))).toBeUndefined();
  });

  test('runs one small command', () => {
    expect(livenessQuery.argv).toEqual(['cat', '/proc/sys/kernel/random/boot_id']);
  });
});

// Long input from hosts and other servers must not block the only thread.

import { expect, test } from 'vitest';
import { parseClusterInfo } from '../../src/drivers/container-manager/kubernetes/cluster-info.ts';
import { parseQuantity } from '../../src/drivers/host-source/kubernetes/kubernetes.ts';
import { apt } from '../../src/drivers/os/apt/apt.ts';
import { sumDiskSpace } from '../../src/drivers/os/facts.ts';
import { parseOsRelease } from '../../src/drivers/os/os-release.ts';
import { zypper } from '../../src/drivers/os/zypper/zypper.ts';
import { toTransportFailure } from '../../src/drivers/transport/openssh/ssh-errors.ts';
import { lastLine, sanitizeLine } from '../../src/lib/sanitize.ts';

/** Maximum length that is kept of an output stream of a host. */
const MAX_BYTES = 256 * 1024;
/** CPU time. Linear parsers take at most 60 ms here; a quadratic one takes seconds for 64 KiB. */
const MAX_CPU_MS = 500;

const flood = (piece: string, length = MAX_BYTES) => piece.repeat(Math.ceil(length / piece.length));
const commandResult = (text: string) => ({ exitCode: 0, stdout: Buffer.from(text), stderr: Buffer.alloc(0) });

test.each<[string, () => unknown]>([
  ['a kernel version', () => apt.rebootRequired.parse(commandResult(`running 1\nbuild ${flood('#1', 65_536)}`))],
  ['a zypper summary', () => zypper.upgrade.hasUpdates.parse(commandResult(flood('<install-summary ')))],
  ['a df line', () => sumDiskSpace([flood('1 ')])],
  ['os-release', () => parseOsRelease([flood(' '), `ID=${flood('"')}`])],
  [
    'an ssh error message',
    () => toTransportFailure({ exitCode: 255, stderrTail: `x${flood('@')}` }, { user: 'x', hasProxy: false }),
  ],
  ['quoted text', () => [sanitizeLine(flood(' \u200b')), lastLine(Buffer.from(flood(' \n')))]],
  ['a Kubernetes quantity', () => parseQuantity(`${flood('1', 65_536)}!`)],
  [
    'cluster-info',
    () => {
      const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`);
      expect(() => parseClusterInfo(keys.join(''))).toThrow(/cannot parse/);
    },
  ],
])('%s of great length is parsed in linear time', (_input, parse) => {
  const startedAt = process.threadCpuUsage();
  parse();
  const { user, system } = process.threadCpuUsage(startedAt);
  expect((user + system) / 1000).toBeLessThan(MAX_CPU_MS);
});

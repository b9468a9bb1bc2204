// Whatever hosts and other servers say at great length, everybody else waits only for a moment: there is one thread for all.

import { expect, test } from 'vitest';
import { parseClusterInfo } from '../../src/drivers/container-manager/kubernetes/cluster-info.ts';
import { parseQuantity } from '../../src/drivers/host-source/kubernetes/kubernetes.ts';
import { apt } from '../../src/drivers/os/apt/apt.ts';
import { sumDiskSpace } from '../../src/drivers/os/facts.ts';
import { parseOsRelease } from '../../src/drivers/os/os-release.ts';
import { zypper } from '../../src/drivers/os/zypper/zypper.ts';
import { toTransportFailure } from '../../src/drivers/transport/openssh/ssh-errors.ts';
import { lastLine, sanitizeLine } from '../../src/lib/sanitize.ts';

/** As much as is kept of a stream of a host. */
const KEPT_BYTES = 256 * 1024;
const A_MOMENT_MS = 1000;

const flood = (piece: string, length = KEPT_BYTES) => piece.repeat(Math.ceil(length / piece.length));
const ran = (text: string) => ({ exitCode: 0, stdout: Buffer.from(text), stderr: Buffer.alloc(0) });

test.each<[string, () => unknown]>([
  ['the version of a kernel', () => apt.rebootRequired.parse(ran(`running 1\nbuild ${flood('#1', 65_536)}`))],
  ['a summary of zypper', () => zypper.upgrade.hasUpdates.parse(ran(flood('<install-summary ')))],
  ['a line of df', () => sumDiskSpace([flood('1 ')])],
  ['os-release', () => parseOsRelease([flood(' '), `ID=${flood('"')}`])],
  [
    'the last words of ssh',
    () =>
      toTransportFailure(
        { exitCode: 255, stderrTail: `x${flood('@', 16_384)}` },
        { user: 'x', hasProxy: false },
      ),
  ],
  ['what is quoted', () => [sanitizeLine(flood(' \u200b')), lastLine(Buffer.from(flood(' \n')))]],
  ['a quantity of Kubernetes', () => parseQuantity(`${flood('1', 65_536)}!`)],
  [
    'cluster-info',
    () => {
      const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`);
      expect(() => parseClusterInfo(keys.join(''))).toThrow(/cannot parse/);
    },
  ],
])('%s without end is read in a moment', (_what, read) => {
  const startedAt = performance.now();
  read();
  expect(performance.now() - startedAt).toBeLessThan(A_MOMENT_MS);
});

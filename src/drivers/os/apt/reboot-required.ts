// Ubuntu creates /run/reboot-required. Debian does not, so the running kernel is compared with the installed ones. A
// newer kernel has its own file, unless Debian kept the name; then the package version differs from the build of the
// running kernel.

import type { HostQuery } from '../../../domain/command.ts';
import { outputLines, valuesOf } from '../command-output.ts';

const SCRIPT = `[ -e /run/reboot-required ] && echo 'required yes'
running=$(uname -r)
printf 'running %s\\n' "$running"
for image in /boot/vmlinuz-*; do
  [ -e "$image" ] && printf 'kernel %s\\n' "\${image#/boot/vmlinuz-}"
done
printf 'package %s\\n' "$(dpkg-query -W -f '\${Version}' "linux-image-$running" 2>/dev/null)"
read -r line </proc/version && printf 'build %s\\n' "$line"`;

// Version without the flavour: 6.1.0-21, 6.12.41+deb13, 6.9.7+bpo, 6.12~rc6, and 6.1.0-rpi4 on Raspberry Pi.
const KERNEL_VERSION = /^[0-9]+(?:[.+~-](?:deb|bpo|rc)?[0-9]+(?![0-9A-Za-z])|[+~](?:deb|bpo)(?=-)|-rpi[0-9]+(?=-rpi))*/;

/** Sorts a release candidate before its release, which has no number (0) at that position. */
const CANDIDATE_OFFSET = -1_000_000;

interface Kernel {
  readonly numbers: readonly number[];
  /** Such as `-cloud-amd64`: a machine boots only one flavour, so only kernels of the same flavour are compared. */
  readonly flavour: string;
}

function parseKernel(release: string): Kernel {
  const version = KERNEL_VERSION.exec(release)?.[0] ?? '';
  const numbers = [...version.matchAll(/(rc)?([0-9]+)/g)].map(
    ([, candidate, number]) => Number(number) + (candidate === undefined ? 0 : CANDIDATE_OFFSET),
  );
  return { numbers, flavour: release.slice(version.length) };
}

export function isNewerKernel(release: string, baseline: string): boolean {
  const [a, b] = [parseKernel(release), parseKernel(baseline)];
  if (a.flavour !== b.flavour) return false;
  const length = Math.max(a.numbers.length, b.numbers.length);
  const differences = Array.from({ length }, (_none, index) => (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0));
  return (differences.find(difference => difference !== 0) ?? 0) > 0;
}

/** Two simple patterns: one for the whole line would backtrack for hours on a line from a hostile host. */
function findBuildPackage(line: string): string | undefined {
  const match = [...line.matchAll(/ Debian (\S+) \([0-9]{4}-/g)].at(-1);
  return match && /#[0-9]/.test(line.slice(0, match.index)) ? match[1] : undefined;
}

export const rebootRequiredQuery: HostQuery<boolean> = {
  argv: ['sh', '-c', SCRIPT],
  parse: result => {
    const lines = outputLines(result);
    const all = (key: string) => valuesOf(lines, key);
    const [running] = all('running');
    if (!running) return undefined;
    if (all('required').length > 0) return true;
    if (all('kernel').some(kernel => isNewerKernel(kernel, running))) return true;
    const [installed] = all('package');
    const built = findBuildPackage(all('build')[0] ?? '');
    return Boolean(installed && built && installed !== built);
  },
};

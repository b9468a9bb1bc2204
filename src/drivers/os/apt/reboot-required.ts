// Ubuntu writes /run/reboot-required. On a plain Debian nobody does: there the kernel that runs is held against those that are
// installed. A newer one is in a file of its own, unless Debian kept its name; then the package has another version than the kernel.

import type { HostQuery } from '../../../domain/command.ts';
import { outputLines } from '../command-output.ts';

const SCRIPT = `[ -e /run/reboot-required ] && echo 'required yes'
running=$(uname -r)
printf 'running %s\\n' "$running"
for image in /boot/vmlinuz-*; do
  [ -e "$image" ] && printf 'kernel %s\\n' "\${image#/boot/vmlinuz-}"
done
printf 'package %s\\n' "$(dpkg-query -W -f '\${Version}' "linux-image-$running" 2>/dev/null)"
read -r line </proc/version && printf 'build %s\\n' "$line"`;

// What comes before the flavour: 6.1.0-21, 6.12.41+deb13, 6.9.7+bpo, 6.12~rc6, and of Raspberry Pi 6.1.0-rpi4.
const KERNEL_VERSION =
  /^[0-9]+(?:[.+~-](?:deb|bpo|rc)?[0-9]+(?![0-9A-Za-z])|[+~](?:deb|bpo)(?=-)|-rpi[0-9]+(?=-rpi))*/;

/** A candidate comes before its release, which has nothing, and so a 0, in its place. */
const CANDIDATE = -1_000_000;

interface Kernel {
  readonly numbers: readonly number[];
  /** `-amd64`, `-cloud-amd64`, `+rpt-rpi-2712`: one machine boots only one of them, and each is counted by itself. */
  readonly flavour: string;
}

function parseKernel(release: string): Kernel {
  const version = KERNEL_VERSION.exec(release)?.[0] ?? '';
  const numbers = [...version.matchAll(/(rc)?([0-9]+)/g)].map(
    ([, candidate, number]) => Number(number) + (candidate === undefined ? 0 : CANDIDATE),
  );
  return { numbers, flavour: release.slice(version.length) };
}

/** Only of the same flavour. */
export function isNewerKernel(one: string, other: string): boolean {
  const [a, b] = [parseKernel(one), parseKernel(other)];
  if (a.flavour !== b.flavour) return false;
  const length = Math.max(a.numbers.length, b.numbers.length);
  const differences = Array.from({ length }, (_none, at) => (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0));
  return (differences.find(difference => difference !== 0) ?? 0) > 0;
}

/** The package of the kernel that runs, by what it says of itself. One pattern for all of it would take hours for a line of a hostile host. */
function findBuildPackage(line: string): string | undefined {
  const named = [...line.matchAll(/ Debian (\S+) \([0-9]{4}-/g)].at(-1);
  return named && /#[0-9]/.test(line.slice(0, named.index)) ? named[1] : undefined;
}

export const rebootRequiredQuery: HostQuery<boolean> = {
  argv: ['sh', '-c', SCRIPT],
  parse: result => {
    const lines = outputLines(result);
    const all = (key: string) =>
      lines.filter(line => line.startsWith(`${key} `)).map(line => line.slice(key.length + 1));
    const [running] = all('running');
    if (!running) return undefined;
    if (all('required').length > 0) return true;
    if (all('kernel').some(kernel => isNewerKernel(kernel, running))) return true;
    const [installed] = all('package');
    const built = findBuildPackage(all('build')[0] ?? '');
    return Boolean(installed && built && installed !== built);
  },
};

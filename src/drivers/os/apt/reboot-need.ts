// Ubuntu writes /run/reboot-required. On a plain Debian nobody does: there the kernel that runs is held against those that are
// installed. A newer one is in a file of its own, unless Debian kept its name; then the package has another version than the kernel.

import type { Question } from '../../../domain/command.ts';
import { linesOf } from '../answer-text.ts';

const SCRIPT = `[ -e /run/reboot-required ] && echo 'required yes'
running=$(uname -r)
printf 'running %s\\n' "$running"
for image in /boot/vmlinuz-*; do
  [ -e "$image" ] && printf 'kernel %s\\n' "\${image#/boot/vmlinuz-}"
done
printf 'package %s\\n' "$(dpkg-query -W -f '\${Version}' "linux-image-$running" 2>/dev/null)"
read -r line </proc/version && printf 'build %s\\n' "$line"`;

/** The numbers of a kernel's release, without its flavour: of `6.1.0-21-cloud-amd64` those are 6, 1, 0 and 21. */
const numbersOf = (release: string): readonly number[] =>
  (/^[0-9]+(?:[.+~-](?:deb|bpo|rc)?[0-9]+)*/.exec(release)?.[0].match(/[0-9]+/g) ?? []).map(Number);

export function isNewerKernel(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at !== -1 && (a[at] ?? 0) > (b[at] ?? -1);
}

export const rebootNeed: Question<boolean> = {
  argv: ['sh', '-c', SCRIPT],
  read: ran => {
    const lines = linesOf(ran);
    const all = (key: string) =>
      lines.filter(line => line.startsWith(`${key} `)).map(line => line.slice(key.length + 1));
    const [running] = all('running');
    if (!running) return undefined;
    if (all('required').length > 0) return true;
    if (all('kernel').some(kernel => isNewerKernel(kernel, running))) return true;
    const [installed] = all('package');
    const [, built] = /#[0-9].* Debian (\S+) \([0-9]{4}-/.exec(all('build')[0] ?? '') ?? [];
    return Boolean(installed && built && installed !== built);
  },
};

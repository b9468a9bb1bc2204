// POSIX shell script that checks, without root, whether a host has finished booting. Details contain no text from the
// host.

import type { HostQuery } from '../../domain/command.ts';
import { outputLines, valuesOf } from './command-output.ts';
import { isBootId } from './facts.ts';
import type { Readiness } from './os-driver.ts';

export const BOOT_ID_KEY = 'hostler-boot-id';
export const STATE_KEY = 'hostler-state';
const CHECKS_KEY = 'hostler-boot-checks';

// Most systems have boot-complete.target, but few use it. systemd queues all jobs of a boot when the boot starts. An
// inactive target with a job is therefore pending; without a job it is unused or a unit that it requires has failed.
// These units are the boot checks, for example of greenboot.
const BOOT_COMPLETE = `systemctl show -p ActiveState -p Job -p Requires boot-complete.target | {
  while IFS='=' read -r key value; do
    case $key in
    ActiveState) active=$value ;;
    Job) job=$value ;;
    Requires) checks=$value ;;
    esac
  done
  case $active:$job in
  :*|active:*) ;;
  *:[1-9]*) echo '${CHECKS_KEY} waiting' ;;
  *) [ -n "$checks" ] && systemctl is-failed -q -- $checks && echo '${CHECKS_KEY} failed' ;;
  esac
}`;

const SCRIPT = `set -f
LC_ALL=C
export LC_ALL
active= job= checks=
{
read -r value </proc/sys/kernel/random/boot_id && echo "${BOOT_ID_KEY} $value"
if command -v systemctl >/dev/null; then
echo "${STATE_KEY} $(systemctl is-system-running)"
${BOOT_COMPLETE}
else echo '${STATE_KEY} offline'
fi
} 2>/dev/null
exit 0`;

type SystemState = Pick<Readiness, 'isUp' | 'detail'>;

const UP: SystemState = { isUp: true, detail: 'the system is up' };
const STARTING: SystemState = { isUp: false, detail: 'the system is still starting' };

/** States of `systemctl is-system-running`. Without systemd, a host that responds counts as up. */
const STATES: ReadonlyMap<string, SystemState> = new Map([
  ['running', UP],
  ['offline', UP],
  ['degraded', { isUp: true, detail: 'the system is up, but some units have failed' }],
  ['initializing', STARTING],
  ['starting', STARTING],
  ['stopping', { isUp: false, detail: 'the system is shutting down' }],
  ['maintenance', { isUp: false, detail: 'the system is in rescue or emergency mode' }],
]);

const CHECKS: ReadonlyMap<string, SystemState> = new Map([
  ['waiting', { isUp: false, detail: 'the boot checks have not finished yet' }],
  ['failed', { isUp: false, detail: 'a boot check failed' }],
]);

export const readinessQuery: HostQuery<Readiness> = {
  argv: ['sh', '-c', SCRIPT],
  parse: result => {
    const lastValue = (key: string) => valuesOf(outputLines(result), key).at(-1) ?? '';
    const bootId = lastValue(BOOT_ID_KEY);
    const state = STATES.get(lastValue(STATE_KEY));
    if (!isBootId(bootId) || state === undefined) return undefined;
    return { bootId, ...(state.isUp ? (CHECKS.get(lastValue(CHECKS_KEY)) ?? state) : state) };
  },
};

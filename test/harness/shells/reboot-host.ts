import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Argv, HostQuery } from '../../../src/domain/command.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import { blockReboot } from '../../../src/procedures/reboot/block-reboot.ts';
import type { RebootProbe } from '../../../src/procedures/reboot/probe-reboot.ts';
import { probeReboot } from '../../../src/procedures/reboot/probe-reboot.ts';
import type { RebootGuards, RebootId } from '../../../src/procedures/reboot/reboot-guard.ts';
import { REBOOT_GUARDS } from '../../../src/procedures/reboot/reboot-guard.ts';
import type { RebootOptions } from '../../../src/procedures/reboot/send-reboot.ts';
import { rebootQuery, rebootScript } from '../../../src/procedures/reboot/send-reboot.ts';
import { ScriptError } from '../../../src/procedures/script-error.ts';
import type { PrivateRun, Shell } from './private-run.ts';
import { describeOnEachShell, openPrivateRun } from './private-run.ts';

export const BOOT_ID = 'b0070000-0000-4000-8000-000000000001';
export const OTHER_BOOT_ID = 'b0070000-0000-4000-8000-000000000002';
export const UPTIME_S = 500;

// What reboots only writes down that it did. The real ones are covered, should a script get past the others.
// Its /dev is an overlay, since spare markers are created there.
const PRETEND = `mkdir /run/proc /run/dev && mount -t tmpfs tmpfs /run/dev && mkdir /run/dev/upper /run/dev/work &&
  mount -t overlay -o lowerdir=/dev,upperdir=/run/dev/upper,workdir=/run/dev/work overlay /dev || exit 1
for file in sys/kernel/random/boot_id uptime; do
  : >"/run/proc/\${file##*/}" && mount --bind "/run/proc/\${file##*/}" "/proc/$file" || exit 1
done
for real in $(type -P reboot systemctl shutdown); do mount --bind /dev/null "$(readlink -f "$real")" || exit 1; done
for name in reboot systemctl; do
  printf '%s\\n' '#!/bin/bash' 'echo "\${0##*/} $*" >>/run/reboots' >"/run/bin/$name" && chmod 755 "/run/bin/$name" || exit 1
done
echo ready`;

const RESET = `rm -rf /run/hostler /run/reboots /run/go /run/systemd /run/bin/systemd-run /dev/hostler.*
echo ${BOOT_ID} >/run/proc/boot_id; echo ${UPTIME_S}.99 1.00 >/run/proc/uptime; : >/run/reboots`;

/** Whatever comes of the command holds a lock, as long as it lives. */
const tracked = (argv: Argv): Argv => [
  ...(['bash', '-c', 'exec 9>>/run/on-its-way; flock -s 9; exec "$@"', 'bash'] as const),
  ...argv,
];

/** This machine as a host that is to be rebooted, with a boot id and an uptime that tests decide; it notes reboots, and goes on. */
export class RebootHost {
  readonly #host: PrivateRun;
  #operations = 0;

  constructor(host: PrivateRun) {
    this.#host = host;
  }

  bash = (script: string): Promise<string> => this.#host.bash(script);
  spawn = (argv: Argv) => this.#host.spawn(tracked(argv));

  newMark(): RebootId {
    this.#operations += 1;
    return { operation: `Op_${this.#operations}`, attempt: 1, bootId: BOOT_ID };
  }

  async ask<Answer>(question: HostQuery<Answer>): Promise<Answer | undefined> {
    const answer = await this.#host.link.query(question, { timeoutMs: 60_000, asRoot: true });
    if (answer instanceof TransportFailure) throw answer;
    return answer;
  }

  /** The answer, or the error that the script reported, as text. */
  async askForWord(question: HostQuery<string | ScriptError>): Promise<string | undefined> {
    const answer = await this.ask(question);
    return answer instanceof ScriptError ? String(answer) : answer;
  }

  /** With these guards in place of the real ones. */
  send(
    mark: RebootId,
    { deadlineS = UPTIME_S + 60, customRebootArgv = null }: Partial<RebootOptions> = {},
    guards: Partial<RebootGuards> = {},
  ): Promise<string | undefined> {
    const { argv, parse } = rebootQuery(mark, { deadlineS, customRebootArgv });
    const [sh, option, , ...args] = argv;
    const script = rebootScript({ ...REBOOT_GUARDS, ...guards });
    return this.askForWord({ argv: tracked([sh, option ?? '', script, ...args]), parse });
  }

  take = (mark: RebootId): Promise<string | undefined> => this.askForWord(blockReboot(mark));

  async look(mark: RebootId): Promise<RebootProbe | undefined> {
    const look = await this.ask(probeReboot(mark));
    if (look instanceof ScriptError) throw new Error(String(look));
    return look;
  }

  /** The commands that have rebooted it, when none is on its way any more. */
  reboots(): Promise<string> {
    return this.bash('flock -w 20 /run/on-its-way cat /run/reboots || echo one is still on its way');
  }

  /** Systemd is there, and does this with a unit: `$@` is what it is given, `$file` the script. */
  pretendSystemd(what: string): Promise<string> {
    return this.bash(`mkdir -p /run/systemd/system
      printf '%s\\n' '#!/bin/bash' 'file=\${@: -1}' 'echo "$*" >>/run/units' '${what}' >/run/bin/systemd-run
      chmod 755 /run/bin/systemd-run; : >/run/units`);
  }
}

/** As `describe`, on a host for each shell, which is as new for each test. */
export function describeReboots(name: string, tests: (host: () => RebootHost, shell: Shell) => void): void {
  describeOnEachShell(name, shell => {
    let opened: PrivateRun;
    let host: RebootHost;
    beforeAll(async () => {
      opened = await openPrivateRun(shell);
      host = new RebootHost(opened);
      if ((await host.bash(PRETEND)) !== 'ready\n') throw new Error('no host can be pretended');
    });
    beforeEach(() => host.bash(RESET));
    afterAll(() => opened.close());
    tests(() => host, shell);
  });
}

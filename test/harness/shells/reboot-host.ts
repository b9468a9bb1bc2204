import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Argv, HostQuery } from '../../../src/domain/command.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import type { RebootGuards, RebootId } from '../../../src/procedures/reboot/reboot-guard.ts';
import { REBOOT_GUARDS } from '../../../src/procedures/reboot/reboot-guard.ts';
import type { RebootOptions, RebootProbe } from '../../../src/procedures/reboot/reboot-scripts.ts';
import {
  blockReboot,
  probeReboot,
  sendRebootQuery,
  sendRebootScript,
} from '../../../src/procedures/reboot/reboot-scripts.ts';
import { ScriptError } from '../../../src/procedures/script-error.ts';
import type { IsolatedHost, Shell } from './isolated-host.ts';
import { describeOnEachShell, openIsolatedHost } from './isolated-host.ts';

export const BOOT_ID = 'b0070000-0000-4000-8000-000000000001';
export const OTHER_BOOT_ID = 'b0070000-0000-4000-8000-000000000002';
export const UPTIME_S = 500;

// The fake reboot commands only record their calls. The real ones are hidden. /dev is an overlay, because
// spare markers are created there.
const SETUP_SCRIPT = `mkdir /run/proc /run/dev && mount -t tmpfs tmpfs /run/dev && mkdir /run/dev/upper /run/dev/work &&
  mount -t overlay -o lowerdir=/dev,upperdir=/run/dev/upper,workdir=/run/dev/work overlay /dev || exit 1
for file in sys/kernel/random/boot_id uptime; do
  : >"/run/proc/\${file##*/}" && mount --bind "/run/proc/\${file##*/}" "/proc/$file" || exit 1
done
for real in $(type -P reboot systemctl shutdown); do mount --bind /dev/null "$(readlink -f "$real")" || exit 1; done
for name in reboot systemctl; do
  printf '%s\\n' '#!/bin/bash' 'echo "\${0##*/} $*" >>/run/reboots' >"/run/bin/$name" && chmod 755 "/run/bin/$name" || exit 1
done
echo ready`;

// Opening a FIFO for reading blocks until a writer opens it.
const CLOSE_GATE = 'rm -f /run/gate; mkfifo /run/gate';
const OPEN_GATE = ': >/run/opened; exec 3<>/run/gate; mv -f /run/opened /run/gate';
/** Blocks a script until `openGate`. */
export const WAIT_AT_GATE = ': </run/gate';

const RESET = `rm -rf /run/hostler /run/reboots /run/systemd /run/bin/systemd-run /dev/hostler.*
echo ${BOOT_ID} >/run/proc/boot_id; echo ${UPTIME_S}.99 1.00 >/run/proc/uptime; : >/run/reboots; ${CLOSE_GATE}`;

/** The command and its children hold a lock while they run. */
const withLock = (argv: Argv): Argv => [
  ...(['bash', '-c', 'exec 9>>/run/on-its-way; flock -s 9; exec "$@"', 'bash'] as const),
  ...argv,
];

/** This machine as a host with a fake boot ID and uptime. It records reboots instead of rebooting. */
export class RebootHost {
  readonly #host: IsolatedHost;
  #operations = 0;

  constructor(host: IsolatedHost) {
    this.#host = host;
  }

  bash = (script: string): Promise<string> => this.#host.bash(script);
  spawn = (argv: Argv) => this.#host.spawn(withLock(argv));

  closeGate = (): Promise<string> => this.bash(CLOSE_GATE);
  openGate = (): Promise<string> => this.bash(OPEN_GATE);

  newRebootId(): RebootId {
    this.#operations += 1;
    return { operation: `Op_${this.#operations}`, attempt: 1, bootId: BOOT_ID };
  }

  async query<Result>(hostQuery: HostQuery<Result>): Promise<Result | undefined> {
    const result = await this.#host.connection.query(hostQuery, { timeoutMs: 60_000, asRoot: true });
    if (result instanceof TransportFailure) throw result;
    return result;
  }

  /** The result, or the error of the script as text. */
  async queryText(hostQuery: HostQuery<string | ScriptError>): Promise<string | undefined> {
    const result = await this.query(hostQuery);
    return result instanceof ScriptError ? String(result) : result;
  }

  /** Replaces some guards of the reboot script. */
  send(
    rebootId: RebootId,
    { deadlineS = UPTIME_S + 60, customRebootArgv = null }: Partial<RebootOptions> = {},
    guards: Partial<RebootGuards> = {},
  ): Promise<string | undefined> {
    const { argv, parse } = sendRebootQuery(rebootId, { deadlineS, customRebootArgv });
    const [sh, option, , ...args] = argv;
    const script = sendRebootScript({ ...REBOOT_GUARDS, ...guards });
    return this.queryText({ argv: withLock([sh, option ?? '', script, ...args]), parse });
  }

  block = (rebootId: RebootId): Promise<string | undefined> => this.queryText(blockReboot(rebootId));

  async probe(rebootId: RebootId): Promise<RebootProbe | undefined> {
    const probe = await this.query(probeReboot(rebootId));
    if (probe instanceof ScriptError) throw new Error(String(probe));
    return probe;
  }

  /** Recorded reboot commands, after all running commands have ended. */
  listReboots(): Promise<string> {
    return this.bash('flock -w 20 /run/on-its-way cat /run/reboots || echo a reboot command is still running');
  }

  /** Adds a fake systemd-run: `$@` are its arguments, `$file` is the script. */
  fakeSystemd(script: string): Promise<string> {
    return this.bash(`mkdir -p /run/systemd/system
      printf '%s\\n' '#!/bin/bash' 'file=\${@: -1}' 'echo "$*" >>/run/units' '${script}' >/run/bin/systemd-run
      chmod 755 /run/bin/systemd-run; : >/run/units`);
  }
}

/** Like `describe`, with a host for each shell that is reset before each test. */
export function describeReboots(name: string, tests: (host: () => RebootHost, shell: Shell) => void): void {
  describeOnEachShell(name, shell => {
    let opened: IsolatedHost;
    let host: RebootHost;
    beforeAll(async () => {
      opened = await openIsolatedHost(shell);
      host = new RebootHost(opened);
      if ((await host.bash(SETUP_SCRIPT)) !== 'ready\n') throw new Error('the setup script failed');
    });
    beforeEach(() => host.bash(RESET));
    afterAll(() => opened.close());
    tests(() => host, shell);
  });
}

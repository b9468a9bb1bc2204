// What an operation would do on a host, for people who ask before they begin it. Steps and commands are those of the work itself;
// what only the work will know stands there in angle brackets. What must hold: nothing is asked of anybody.

import type { Argv } from '../domain/command.ts';
import type { Host } from '../domain/hosts/host.ts';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { Foreseen, ForeseenCommand, Foresight } from '../domain/rolling/foreseen.ts';
import type { MemberRecord } from '../domain/rolling/outage.ts';
import { isUntouchable } from '../domain/rolling/snapshot.ts';
import type { WorkOf } from '../domain/work/work.ts';
import type { OsDriver } from '../drivers/os/os-driver.ts';
import type { OsRegistry } from '../drivers/os/os-registry.ts';
import { REBOOT_DEADLINE_S } from './reboot/mark.ts';
import { rebootCommand } from './reboot/send-reboot.ts';
import { rollWork } from './roll-work.ts';
import { applyCommands } from './rolling/apply.ts';
import { driverOf, UNSUPPORTED } from './rolling/driver-of.ts';
import { finalizeOf } from './rolling/finalize.ts';
import { OWN_MACHINE, readyProblem } from './rolling/preflight.ts';
import { stageCommands } from './rolling/stage.ts';
import { targetProblem } from './rolling/target-problem.ts';
import { stageWork } from './stage-work.ts';

type Roll = WorkOf<'rollout'>;
type Said = Pick<ForeseenCommand, 'argv' | 'detail'>;

const run = (argv: Argv): Said => ({ argv, detail: '' });
const asked = (detail: string): readonly Said[] => [{ argv: null, detail }];

const PREPARED = {
  version: '<staged version>',
  checksum: '<staged checksum>',
  image: '<staged image>',
};

function drainWords({ policy: { drain } }: Roll): string {
  const { timeoutS, onTimeout } = drain ?? { timeoutS: 0, onTimeout: 'fail' };
  const time = timeoutS > 0 && timeoutS % 60 === 0 ? `${timeoutS / 60}m` : `${timeoutS}s`;
  return onTimeout === 'force'
    ? `the container manager drains the node; after ${time}, the remaining workloads are removed by force`
    : `the container manager drains the node; the host fails if this takes longer than ${time}`;
}

function reboot(driver: OsDriver, work: Roll, { bootId }: Host): readonly Said[] {
  const { reboot: rule } = work.policy;
  if (rule === 'never') return [];
  const boot = bootId || '<boot id>';
  const known = {
    name: `reboot_<operation>_1_${boot}`,
    bootId: boot,
    deadline: `<uptime in seconds + ${REBOOT_DEADLINE_S}>`,
  };
  const argv = rebootCommand(known, finalizeOf(driver, work).rebooting);
  return [{ argv, detail: rule === 'if_needed' ? 'only if the host needs a reboot' : '' }];
}

/** What each step runs; those that only look at the host are not here. */
const SAID: Readonly<Record<string, (driver: OsDriver, work: Roll, host: Host) => readonly Said[]>> = {
  stage: (driver, work) => (stageCommands(driver, work) ?? []).map(run),
  cordon: () => asked('the container manager stops scheduling workloads on the node'),
  drain: (_driver, work) => asked(drainWords(work)),
  apply: (driver, work) => applyCommands(driver, work).map(run),
  reboot,
  verify: (_driver, { policy: { check } }) => (check ? [run(check)] : []),
  uncordon: () =>
    asked('the container manager schedules workloads on the node again, unless someone else cordoned it'),
};

const workOf = (host: Host, { kind, ...plan }: Foresight): Roll => ({
  ...{ kind: 'rollout', host: host.address, enrolment: host.enrolment, operation: '<operation>', attempt: 1 },
  ...{ operationKind: kind, cluster: plan.cluster, version: plan.version, policy: plan.policy },
  prepared: PREPARED,
});

function problemOf(
  host: Host,
  driver: OsDriver | undefined,
  plan: Foresight,
  state: MemberRecord,
): ReasonText | undefined {
  if (state.isInMaintenance)
    return 'in_maintenance: operations do not touch the host until its maintenance ends';
  if (isUntouchable(state))
    return 'bootstrap_pending: operations do not touch the host until its bootstrap ends';
  const notReady = readyProblem(host);
  if (notReady) return notReady.problem;
  if (plan.serverBootIds.includes(host.bootId)) return OWN_MACHINE.problem;
  if (driver === undefined) return UNSUPPORTED.problem;
  return plan.kind === 'deploy' ? targetProblem(driver, plan.version)?.problem : undefined;
}

/** Where it is known that the operation would not work on a host, it has no commands there. */
export const foreseeWith =
  (os: OsRegistry) =>
  (host: Host, plan: Foresight, state: MemberRecord): Foreseen => {
    const driver = driverOf({ os }, host);
    const problem = problemOf(host, driver, plan, state);
    if (problem !== undefined || driver === undefined)
      return { commands: [], problem: problem ?? UNSUPPORTED.problem };
    const work = workOf(host, plan);
    const steps = [...stageWork({ ...work, kind: 'stage' }).steps, ...rollWork(work).steps];
    const commands = steps.flatMap(({ name: step, phase = 'pending' }) =>
      (SAID[step]?.(driver, work, host) ?? []).map(said => ({ step, phase, ...said })),
    );
    return { commands, problem: '' };
  };

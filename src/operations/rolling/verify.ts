import type { ReasonText } from '../../domain/hosts/reason-text.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationWork, Progress, StepResult, WorkOf } from '../../domain/work/work.ts';
import { resultOf } from '../../domain/work/work.ts';
import { lastLine } from '../../lib/text/harmless.ts';
import { again, askManager, done, failed, waiting } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { ASK_TIMEOUT_MS } from '../time-limits.ts';
import { askAsRoot, OF_ITS_VERSIONS } from './ask-as-root.ts';
import { driverOf } from './driver-of.ts';
import { preparedDeployment } from './finalize.ts';
import { managerOf } from './manager-of.ts';
import { whileDown } from './while-down.ts';

type Context = StepContext<WorkOf<'rollout'>>;

/** While it has to stay well it is looked at so often. */
const LOOK_EVERY_MS = 10_000;

/** What is known of the boots of a host while it is verified. */
interface Boots {
  /** The boot that it was in last; `undefined`: not known. */
  readonly bootId: string | undefined;
  /** How many boots were seen since its reboot was sent. */
  readonly count: number;
  /** Since when it is healthy in that boot, by the store's clock; null: it is not. */
  readonly healthySinceMs: number | null;
}

function bootsSoFar({ progress }: Context): Boots {
  const { boot_id: bootId, boots, healthy_since: since } = progress.notes;
  const first = resultOf(progress, 'wait_for_reboot', 'boot_id');
  return {
    bootId: typeof bootId === 'string' ? bootId : typeof first === 'string' ? first : undefined,
    count: typeof boots === 'number' ? boots : typeof first === 'string' ? 1 : 0,
    healthySinceMs: typeof since === 'number' ? since : null,
  };
}

/** In another boot than the last one, the host has to be healthy for the whole time again. */
const inBoot = (boots: Boots, bootId: string): Boots =>
  bootId === boots.bootId ? boots : { bootId, count: boots.count + 1, healthySinceMs: null };

const notesOf = ({ bootId, count, healthySinceMs }: Boots): StepResult => ({
  ...(bootId !== undefined && { boot_id: bootId }),
  boots: count,
  ...(healthySinceMs !== null && { healthy_since: healthySinceMs }),
});

/** The number of boots comes first in the problem of a host that keeps rebooting. */
function unstable<Problem extends ReasonText | ''>({ count }: Boots, problem: Problem): Problem | ReasonText {
  if (count < 2) return problem;
  return `not_stable: the host has booted ${count} times${problem && `; ${problem}`}`;
}

/** Keeps the boots that were seen for the next try of the step. */
const withBoots = (outcome: Outcome, boots: Boots): Outcome =>
  outcome.kind === 'retry'
    ? {
        ...outcome,
        problem: unstable(boots, outcome.problem),
        notes: notesOf({ ...boots, healthySinceMs: null }),
      }
    : outcome;

/** Proves that the host is back: rebooted, up, of the right version, a ready node, healthy by the check of its policy, and all that for a while. */
export const verify = ({ policy }: OperationWork): Step<WorkOf<'rollout'>> => ({
  name: 'verify',
  phase: 'verifying',
  patience: inAPhase(policy.timeouts.readyS),
  async run(context) {
    const { nowMs } = context;
    const before = bootsSoFar(context);
    const booted = await bootIdOnceUp(context);
    if (typeof booted !== 'string') return withBoots(booted, before);
    const boots = inBoot(before, booted);
    const problem =
      (await versionProblem(context)) ??
      (await nodeProblem(context, booted)) ??
      (await checkProblem(context));
    if (problem) return withBoots(problem, boots);
    const healthySinceMs = Math.min(boots.healthySinceMs ?? nowMs, nowMs);
    const leftMs = healthySinceMs + policy.minHealthyS * 1000 - nowMs;
    if (leftMs <= 0) return done({ boot_id: booted });
    const healthyS = Math.round((nowMs - healthySinceMs) / 1000);
    return waiting(Math.min(leftMs, LOOK_EVERY_MS), notesOf({ ...boots, healthySinceMs }), {
      problem: unstable(boots, ''),
      problemAtDeadline: unstable(
        boots,
        `not_ready: healthy for ${healthyS} of ${policy.minHealthyS} s at the deadline`,
      ),
    });
  },
});

/** The boot that a host was proved in; `undefined`: it was not. */
export function provedBootId(progress: Pick<Progress, 'done'>): string | undefined {
  const bootId = resultOf(progress, 'verify', 'boot_id');
  return typeof bootId === 'string' ? bootId : undefined;
}

/** Its boot id, once the system has come up. */
async function bootIdOnceUp({ link, os, progress }: Context): Promise<string | Outcome> {
  const readiness = await link.ask(os.readiness, { timeoutMs: ASK_TIMEOUT_MS });
  if (readiness instanceof TransportFailure) return whileDown(readiness);
  if (readiness === undefined) return again('unexpected_output: cannot parse the system state');
  if (readiness.bootId === resultOf(progress, 'plan_reboot', 'boot_id'))
    return failed('not_rebooted: the boot ID has not changed since the reboot was sent');
  return readiness.isUp ? readiness.bootId : again(`still_booting: ${readiness.detail}`);
}

async function versionProblem(context: Context): Promise<Outcome | undefined> {
  const { work, host, link, progress } = context;
  const wanted = preparedDeployment(work.prepared);
  const image = driverOf(context, host)?.image;
  const isKnown = wanted.checksum !== '' || wanted.version !== '';
  if (image === undefined || !isKnown || work.policy.reboot === 'never') return undefined;
  const deployments = await askAsRoot(link, image.deployments, OF_ITS_VERSIONS, whileDown);
  if ('outcome' in deployments) return deployments.outcome;
  const { booted } = deployments.answer;
  if (booted === undefined) return again(`unexpected_output: cannot parse ${OF_ITS_VERSIONS}`);
  // Not every tool tells checksums.
  const field = wanted.checksum === '' ? 'version' : 'checksum';
  if (booted[field] === wanted[field]) return undefined;
  const isSameName = booted.version === wanted.version;
  const name = ({ version, checksum }: typeof booted) =>
    version === '' || isSameName ? checksum.slice(0, 19) : version;
  // A boot of its own may have dropped what was staged; then nothing asks for another.
  return resultOf(progress, 'plan_reboot', 'reboot_required') === true
    ? failed(`rolled_back: the host booted ${name(booted)} instead of ${name(wanted)}`)
    : failed(`not_applied: the host runs ${name(booted)}, and ${name(wanted)} is no longer staged`);
}

/** A node that was ready before the boot may be called ready for a while after it: only the new boot id says that it is. */
async function nodeProblem(context: Context, bootId: string): Promise<Outcome | undefined> {
  const { host, work } = context;
  if (host.registeredWith === null) return undefined;
  const outcome = await askManager(async () => {
    const manager = await managerOf(context);
    if (manager === null) return done();
    const report = await manager.report(work.host);
    if (report.state === 'unavailable') return again(`container_manager: ${report.reason}`);
    if (report.state === 'unknown') return again('not_ready: the container manager does not list the node');
    if (report.bootId !== undefined && report.bootId !== bootId)
      return again('not_ready: the container manager has not reported the node since its boot');
    return report.ready
      ? done()
      : again('not_ready: the container manager does not report the node as ready');
  });
  return outcome.kind === 'done' ? undefined : outcome;
}

async function checkProblem({ work, link, hear }: Context): Promise<Outcome | undefined> {
  const { check } = work.policy;
  if (check === null) return undefined;
  const ran = await link.run(check, {
    timeoutMs: work.policy.timeouts.readyS * 1000,
    asRoot: true,
  });
  if (ran instanceof TransportFailure) return whileDown(ran);
  hear(ran.stdout);
  hear(ran.stderr);
  if (ran.exitCode === 0) return undefined;
  const said = lastLine(ran.stderr) || lastLine(ran.stdout);
  return again(`check_failed: ${check[0]} exited with ${ran.exitCode}${said && `: ${said}`}`);
}

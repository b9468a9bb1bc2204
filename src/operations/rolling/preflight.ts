import type { Host } from '../../domain/hosts/host.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { Learned } from '../../domain/hosts/learned.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationWork, WorkOf } from '../../domain/work/work.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import type { Failed } from '../outcomes.ts';
import { afterFailure, again, done, failed, settled } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import { rootProblem, WHO_AM_I } from '../root.ts';
import { checkRunFolder } from '../run-folder.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { ASK_TIMEOUT_MS } from '../time-limits.ts';
import { alreadyThere } from './already-there.ts';
import { AS_ROOT, askAsRoot, askRebootNeed, OF_ITS_VERSIONS } from './ask-as-root.ts';
import { driverOf, UNSUPPORTED } from './driver-of.ts';
import { notAnImage, targetProblem } from './target-problem.ts';

type Context = StepContext<WorkOf<'stage'>>;

export const OWN_MACHINE = failed(
  'runs_hostler_server: a Hostler server runs on this host; rebooting it would stop the server',
);

/** Why nothing can be done on a host yet, by its status. */
export function readyProblem({ status, reason }: Pick<Host, 'status' | 'reason'>): Failed | undefined {
  if (isBootstrapped(status)) return undefined;
  const [code] = /^[a-z_]+(?=:|$)/.exec(reason) ?? [];
  return failed(`not_ready: the host has status ${status}${code === undefined ? '' : ` (${code})`}`);
}

/** Makes sure that the host can be worked on, before anything is changed on it or on any other. */
export const preflight = ({ policy }: OperationWork): Step<WorkOf<'stage'>> => ({
  name: 'preflight',
  phase: 'preflight',
  patience: inAPhase(policy.timeouts.readyS),
  async run(context) {
    const { link, os, host } = context;
    const notReady = readyProblem(host);
    if (notReady) return notReady;
    const facts = await link.ask(os.facts, { timeoutMs: ASK_TIMEOUT_MS });
    if (facts instanceof TransportFailure) return afterFailure(facts);
    if (facts === undefined) return again('unexpected_output: cannot parse the facts of the host');
    const who = await link.run(WHO_AM_I, AS_ROOT);
    if (who instanceof TransportFailure) return afterFailure(who);
    const notRoot = rootProblem(who);
    if (notRoot !== undefined) return failed(`not_root: ${notRoot}`);
    if ((await context.serverBootIds()).includes(facts.bootId)) return OWN_MACHINE;
    const driver = driverOf(context, facts);
    if (driver === undefined) return UNSUPPORTED;
    const learned: Learned = { facts, cause: 'answered', check: 'passed' };
    const nothing = await nothingToDo(context, driver);
    if (nothing?.kind === 'noop') return alreadyThere(context, learned);
    if (nothing !== undefined) return nothing;
    // It leaves only an empty /run/hostler behind, and reports an unwritable /run before the host is disturbed; no later step relies on it.
    const run = await askAsRoot(link, checkRunFolder, 'the result of the write test in /run');
    return 'outcome' in run ? run.outcome : done({ os_driver: driver.type }, learned);
  },
});

/** Answers when the host is there already, or can never be. */
async function nothingToDo(context: Context, driver: OsDriver): Promise<Outcome | undefined> {
  const { operationKind, policy } = context.work;
  if (operationKind === 'deploy') return deployedAlready(context, driver);
  if (operationKind !== 'restart' || policy.reboot !== 'if_needed') return undefined;
  const need = await askRebootNeed(context.link, driver);
  if ('outcome' in need) return need.outcome;
  return need.answer ? undefined : settled();
}

async function deployedAlready({ work, link }: Context, driver: OsDriver): Promise<Outcome | undefined> {
  const { image } = driver;
  const problem = targetProblem(driver, work.version);
  if (image === undefined || problem !== undefined) return problem ?? notAnImage(driver);
  const deployments = await askAsRoot(link, image.deployments, OF_ITS_VERSIONS);
  if ('outcome' in deployments) return deployments.outcome;
  const { booted, staged } = deployments.answer;
  return booted && !staged && image.isTarget(work.version, booted) ? settled() : undefined;
}

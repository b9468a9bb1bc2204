import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import { isHostlerOwner } from '../../domain/rollout/operation-host.ts';
import type { OperationTask, StepResult } from '../../domain/tasks/task.ts';
import { callManager, done, noop, retry } from '../outcomes.ts';
import { openHostManager } from '../query-host.ts';
import type { Outcome, Step, StepContext } from '../step.ts';

/** Stage result of a host that needs no change and must only be verified. */
export const VERIFY_ONLY: StepResult = { verify_only: true };

export const isVerifyOnly = (prepared: StepResult): boolean => prepared['verify_only'] === true;

/**
 * The host needs no change. If Hostler has left its node cordoned, in any operation, the host was never
 * verified: it is verified and uncordoned now.
 */
export async function noopOrVerify(context: StepContext<OperationTask>, hostUpdate: HostUpdate = {}): Promise<Outcome> {
  const manager = context.task.policy.drain ? await openHostManager(context) : null;
  if (manager === null || typeof manager === 'string') return noop(hostUpdate);
  return callManager(async () => {
    const report = await manager.report(context.task.host);
    if (report.state === 'unavailable') return retry(`container_manager: ${report.reason}`);
    const owner = report.state === 'registered' ? report.cordonedBy : undefined;
    return owner !== undefined && isHostlerOwner(owner) ? done(VERIFY_ONLY, hostUpdate) : noop(hostUpdate);
  });
}

export const isAlreadyCurrent: NonNullable<Step['isUnnecessary']> = ({ done: { preflight } }) =>
  preflight !== undefined && isVerifyOnly(preflight);

import type { Host } from '../../domain/hosts/host.ts';
import type { TaskOf } from '../../domain/tasks/task.ts';
import { hostRetryPolicy } from '../retry-policies.ts';
import type { Procedure } from '../step.ts';
import { gatherFacts, installPrerequisites, markReady, waitForSsh } from './bootstrap-steps.ts';
import {
  deregisterNode,
  joinContainerManager,
  leaveContainerManager,
  registerNode,
} from './container-manager-steps.ts';
import { joinNetworkAsHost, joinNetworkAsNode, leaveNetwork, releaseNetworkLease } from './network-steps.ts';

export interface BootstrapSettings {
  /** From enrolment to the first contact. */
  readonly contactTimeoutMs: number;
  readonly retryTimeoutMs: number;
}

export function bootstrapProcedure({
  contactTimeoutMs,
  retryTimeoutMs,
}: BootstrapSettings): Procedure<TaskOf<'bootstrap'>> {
  const retryPolicy = () => hostRetryPolicy(retryTimeoutMs);
  return {
    // The host is marked ready before it joins, so that an unavailable container manager does not block its bootstrap.
    steps: [
      { ...waitForSsh, retryPolicy: () => hostRetryPolicy(contactTimeoutMs) },
      { ...gatherFacts, retryPolicy },
      { ...installPrerequisites, retryPolicy },
      { ...joinNetworkAsHost, retryPolicy, onExhausted: 'fail_task' },
      { ...markReady, retryPolicy },
      joinContainerManager,
      registerNode,
      joinNetworkAsNode,
    ],
    needsHost: true,
    failureTrigger: 'bootstrap_failed',
  };
}

export const joinProcedure: Procedure<TaskOf<'join'>> = {
  steps: [joinNetworkAsHost, joinContainerManager, registerNode, joinNetworkAsNode],
  needsHost: true,
  failureTrigger: null,
};

export const leaveProcedure: Procedure<TaskOf<'leave'>, Host | null> = {
  // The first step needs no contact with the host, so that an unreachable host is still deregistered.
  steps: [deregisterNode, leaveContainerManager, leaveNetwork, releaseNetworkLease],
  needsHost: false,
  failureTrigger: null,
};

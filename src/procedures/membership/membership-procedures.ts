import type { Host } from '../../domain/hosts/host.ts';
import type { TaskOf } from '../../domain/tasks/task.ts';
import { hostRetryPolicy, MANAGER_RETRY_POLICY } from '../retry-policies.ts';
import type { Procedure } from '../step.ts';
import { gatherFacts, installPrerequisites, markReady, waitForSsh } from './bootstrap-steps.ts';
import {
  deregisterNode,
  joinContainerManager,
  leaveContainerManager,
  registerNode,
} from './container-manager-steps.ts';
import { joinNetwork, leaveNetwork, releaseNetworkLease } from './network-steps.ts';

export interface BootstrapSettings {
  /** How long an enrolled host can take until its first contact. */
  readonly contactTimeoutMs: number;
  /** How long failures on a reachable host are retried. */
  readonly retryTimeoutMs: number;
}

/** Takes a host from `investigating` to `active` or `disassociated`. */
export const bootstrapProcedure = ({
  contactTimeoutMs,
  retryTimeoutMs,
}: BootstrapSettings): Procedure<TaskOf<'bootstrap'>> => ({
  kind: 'bootstrap',
  // The host is marked ready before it joins, so that an unavailable container manager does not block its
  // bootstrap.
  steps: [
    waitForSsh(hostRetryPolicy(contactTimeoutMs)),
    ...[gatherFacts, installPrerequisites].map(step => step(hostRetryPolicy(retryTimeoutMs))),
    joinNetwork('host', hostRetryPolicy(retryTimeoutMs)),
    markReady(hostRetryPolicy(retryTimeoutMs)),
    joinContainerManager,
    registerNode,
    joinNetwork('node', MANAGER_RETRY_POLICY),
  ],
  needsHost: true,
  failureTrigger: 'bootstrap_failed',
});

export const joinProcedure: Procedure<TaskOf<'join'>> = {
  kind: 'join',
  steps: [
    joinNetwork('host', MANAGER_RETRY_POLICY),
    joinContainerManager,
    registerNode,
    joinNetwork('node', MANAGER_RETRY_POLICY),
  ],
  needsHost: true,
  failureTrigger: null,
};

export const leaveProcedure: Procedure<TaskOf<'leave'>, Host | null> = {
  kind: 'leave',
  // The first step needs no contact with the host, so that an unreachable host is still deregistered.
  steps: [deregisterNode, leaveContainerManager, leaveNetwork, releaseNetworkLease],
  needsHost: false,
  failureTrigger: null,
};

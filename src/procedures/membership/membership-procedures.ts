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
  /** How long a host that was enrolled may take until it can be reached. */
  readonly contactTimeoutMs: number;
  /** How long what fails on a host that was reached is tried again. */
  readonly retryTimeoutMs: number;
}

/** A host's way from `investigating` to `active` or `disassociated`. */
export const bootstrapProcedure = ({
  contactTimeoutMs,
  retryTimeoutMs,
}: BootstrapSettings): Procedure<TaskOf<'bootstrap'>> => ({
  kind: 'bootstrap',
  // A node last: a container manager that is away does not keep a host from being ready.
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

/** What it takes for a host that is ready to become a member of a cluster. */
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

/** What is left to be done when a host has left a cluster, or was removed altogether. */
export const leaveProcedure: Procedure<TaskOf<'leave'>, Host | null> = {
  kind: 'leave',
  // First what needs no host: one that is down for good is no node any more all the same.
  steps: [deregisterNode, leaveContainerManager, leaveNetwork, releaseNetworkLease],
  needsHost: false,
  failureTrigger: null,
};

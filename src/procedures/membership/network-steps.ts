import type { Host } from '../../domain/hosts/host.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { RetryPolicy } from '../../domain/tasks/retry-policy.ts';
import type { TaskOf } from '../../domain/tasks/task.ts';
import type { Network } from '../../drivers/network/network.ts';
import { callNetwork, done, failed, fallbackWhenExhausted, retryInsteadOfFailing } from '../outcomes.ts';
import { FORMER_HOST_RETRY_POLICY, FORMER_MANAGER_RETRY_POLICY } from '../retry-policies.ts';
import { runCommandPlan } from '../run-commands.ts';
import type { Outcome, Step } from '../step.ts';

const STEP_NAMES = { host: 'join_network', node: 'join_network_as_node' } as const;

/**
 * Joins the network of the cluster. Networks that are part of the container manager join as `node`, after
 * registration; other networks join as `host`, before it.
 */
export const joinNetwork = (
  role: Network['joinsAs'],
  retryPolicy: RetryPolicy,
): Step<TaskOf<'bootstrap' | 'join'>> => ({
  name: STEP_NAMES[role],
  retryPolicy,
  async run(context) {
    const { task, host, networkRecord, managerRecord, openNetwork } = context;
    const isBootstrap = task.kind === 'bootstrap';
    const retryIfNotBootstrap = (outcome: Outcome) =>
      isBootstrap && role === 'host' ? outcome : retryInsteadOfFailing(outcome);
    // A host that is not bootstrapped yet joins during its bootstrap.
    if (!isBootstrap && !isBootstrapped(host.status)) return done();
    const record = await networkRecord();
    if (record === null) return done();
    return callNetwork(async () => {
      const network = await openNetwork(record, (await managerRecord())?.type ?? null);
      if (network.joinsAs !== role) return done();
      const problem = await network.ensureConfigured();
      if (problem !== undefined) return retryIfNotBootstrap(failed(`network: ${problem}`));
      const plan = await network.joinPlan(host);
      return retryIfNotBootstrap((plan && (await runCommandPlan(context, plan))) ?? done({ entered: plan !== null }));
    });
  },
});

/** Runs the leave commands on the host. They are skipped if the host does not respond for an hour. */
export const leaveNetwork: Step<TaskOf<'leave'>, Host | null> = {
  name: 'leave_network',
  retryPolicy: FORMER_HOST_RETRY_POLICY,
  async run(context) {
    const { task, host, state, networkRecord, openNetwork } = context;
    const record = task.network;
    // The host was removed, was in no network, or has joined the same network again.
    if (host === null || record === null || (await networkRecord())?.name === record.name) return done();
    const left = await callNetwork(async () => {
      const network = await openNetwork(record, task.containerManager?.type ?? null);
      const plan = await network.leavePlan(host);
      return (plan && (await runCommandPlan(context, plan))) ?? done({ left: plan !== null });
    });
    return fallbackWhenExhausted(left, state, done({ left: false }));
  },
};

export const releaseNetworkLease: Step<TaskOf<'leave'>, Host | null> = {
  name: 'release_network_lease',
  retryPolicy: FORMER_MANAGER_RETRY_POLICY,
  async run({ task, networkRecord, openNetwork }) {
    // The host has joined again, or another host at the address has.
    if (task.network === null || (await networkRecord())?.name === task.network.name) return done();
    const record = task.network;
    return callNetwork(async () => {
      const network = await openNetwork(record, task.containerManager?.type ?? null);
      await network.releaseHost(task.host);
      return done();
    });
  },
};

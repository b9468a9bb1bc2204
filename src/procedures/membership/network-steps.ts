import type { Host } from '../../domain/hosts/host.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { TaskOf } from '../../domain/tasks/task.ts';
import type { Network } from '../../drivers/network/network.ts';
import { done, failed, retryOnError } from '../outcomes.ts';
import { formerHostRetryPolicy, formerManagerRetryPolicy, managerRetryPolicy } from '../retry-policies.ts';
import { runCommandPlan } from '../run-commands.ts';
import type { Outcome, Step, StepContext } from '../step.ts';

/** A network that is part of the container manager joins as `node`, after registration; others as `host`, before it. */
const joinNetwork = (name: string, role: Network['joinsAs']): Step<TaskOf<'bootstrap' | 'join'>> => ({
  name,
  retryPolicy: managerRetryPolicy,
  onExhausted: 'keep_retrying',
  async run(context) {
    const { task, host, networkRecord, managerRecord, openNetwork } = context;
    // A host that is not bootstrapped yet joins during its bootstrap.
    if (task.kind !== 'bootstrap' && !isBootstrapped(host.status)) return done();
    const record = await networkRecord();
    if (record === null) return done();
    return retryOnError('network', async () => {
      const network = await openNetwork(record, (await managerRecord())?.type ?? null);
      if (network.joinsAs !== role) return done();
      const problem = await network.ensureConfigured();
      if (problem !== undefined) return failed(`network: ${problem}`);
      const plan = await network.joinPlan(host);
      return (plan && (await runCommandPlan(context, plan))) ?? done({ joined: plan !== null });
    });
  },
});

export const joinNetworkAsHost = joinNetwork('join_network', 'host');
export const joinNetworkAsNode = joinNetwork('join_network_as_node', 'node');

/** Calls the former network, unless the host has joined it again, or another host at the address has. */
async function callFormerNetwork(
  { task, networkRecord, openNetwork }: StepContext<TaskOf<'leave'>, Host | null>,
  call: (network: Network) => Promise<Outcome>,
): Promise<Outcome> {
  const record = task.network;
  if (record === null || (await networkRecord())?.name === record.name) return done();
  return retryOnError('network', async () => call(await openNetwork(record, task.containerManager?.type ?? null)));
}

export const leaveNetwork: Step<TaskOf<'leave'>, Host | null> = {
  name: 'leave_network',
  retryPolicy: formerHostRetryPolicy,
  onExhausted: 'skip_step',
  async run(context) {
    const { host } = context;
    if (host === null) return done();
    return callFormerNetwork(context, async network => {
      const plan = await network.leavePlan(host);
      return (plan && (await runCommandPlan(context, plan))) ?? done({ left: plan !== null });
    });
  },
};

export const releaseNetworkLease: Step<TaskOf<'leave'>, Host | null> = {
  name: 'release_network_lease',
  retryPolicy: formerManagerRetryPolicy,
  run: context =>
    callFormerNetwork(context, async network => {
      await network.releaseHost(context.task.host);
      return done();
    }),
};

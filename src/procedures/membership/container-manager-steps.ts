import type { Host } from '../../domain/hosts/host.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { TaskOf } from '../../domain/tasks/task.ts';
import type { ContainerManager, NodeReport } from '../../drivers/container-manager/container-manager.ts';
import { done, retry, retryOnError } from '../outcomes.ts';
import { callManager } from '../query-host.ts';
import { formerHostRetryPolicy, formerManagerRetryPolicy, managerRetryPolicy } from '../retry-policies.ts';
import { runCommandPlan } from '../run-commands.ts';
import type { Outcome, Step, StepContext } from '../step.ts';

const isReadyInCurrentBoot = (report: NodeReport, { bootId }: Host): boolean =>
  report.state === 'registered' && report.ready && (report.bootId ?? bootId) === bootId;

export const joinContainerManager: Step<TaskOf<'bootstrap' | 'join'>> = {
  name: 'join_container_manager',
  retryPolicy: managerRetryPolicy,
  onExhausted: 'keep_retrying',
  async run(context) {
    const { host } = context;
    // A host that is not bootstrapped yet joins at the end of its bootstrap.
    if (!isBootstrapped(host.status)) return done();
    return callManager(context, done(), async manager => {
      const { problems } = await manager.checkConnection();
      if (problems.length > 0) return retry(`container_manager: ${problems.join('; ')}`);
      const report = await manager.report(host.address);
      if (report.state === 'unavailable') return retry(`container_manager: ${report.reason}`);
      // A node can be left over from before the host was reinstalled.
      if (isReadyInCurrentBoot(report, host)) return done({ joined: false });
      const plan = await manager.joinPlan(host);
      return (plan && (await runCommandPlan(context, plan))) ?? done({ joined: plan !== null });
    });
  },
};

export const registerNode: Step<TaskOf<'bootstrap' | 'join'>> = {
  name: 'register_node',
  retryPolicy: managerRetryPolicy,
  async run(context) {
    const { host } = context;
    if (!isBootstrapped(host.status)) return done({ registered: false });
    return callManager(context, done({}, { trigger: 'membership_changed' }), async (manager, { name }) => {
      const problem = await manager.register(host);
      return problem === undefined
        ? done({ registered: true }, { registeredWith: name, trigger: 'membership_changed' })
        : retry(`not_registered: ${problem}`);
    });
  },
};

/** If the host, or another host at the address, has joined the manager again, the node must stay. */
async function callFormerManager(
  { task, managerRecord, openManager }: StepContext<TaskOf<'leave'>, Host | null>,
  notCalled: Outcome,
  call: (manager: ContainerManager) => Promise<Outcome>,
): Promise<Outcome> {
  const record = task.mayBeNode ? task.containerManager : null;
  if (record === null || (await managerRecord())?.name === record.name) return notCalled;
  return retryOnError('container_manager', async () => call(await openManager(record)));
}

export const deregisterNode: Step<TaskOf<'leave'>, Host | null> = {
  name: 'deregister_node',
  retryPolicy: formerManagerRetryPolicy,
  run: context =>
    callFormerManager(context, done({ deregistered: false }), async manager => {
      await manager.remove(context.task.host);
      return done({ deregistered: true });
    }),
};

export const leaveContainerManager: Step<TaskOf<'leave'>, Host | null> = {
  name: 'leave_container_manager',
  retryPolicy: formerHostRetryPolicy,
  onExhausted: 'skip_step',
  async run(context) {
    const { host } = context;
    if (host === null) return done();
    return callFormerManager(context, done(), async manager => {
      const plan = await manager.leavePlan(host);
      if (plan === null) return done();
      const problem = await runCommandPlan(context, plan);
      if (problem !== undefined) return problem;
      // The kubelet or agent can have registered the node again before it was stopped.
      await manager.remove(host.address);
      return done({ left: true });
    });
  },
};

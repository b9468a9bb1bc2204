import type { Host } from '../../domain/hosts/host.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { TaskOf } from '../../domain/tasks/task.ts';
import type { NodeReport } from '../../drivers/container-manager/container-manager.ts';
import { callManager, done, fallbackWhenExhausted, retry, retryInsteadOfFailing } from '../outcomes.ts';
import { FORMER_HOST_RETRY_POLICY, FORMER_MANAGER_RETRY_POLICY, MANAGER_RETRY_POLICY } from '../retry-policies.ts';
import { runCommandPlan } from '../run-commands.ts';
import type { Step } from '../step.ts';

/** Whether the node is ready and, if the manager reports a boot id, in the current boot. */
const isReadyInCurrentBoot = (report: NodeReport, { bootId }: Host): boolean =>
  report.state === 'registered' && report.ready && (report.bootId ?? bootId) === bootId;

export const joinContainerManager: Step<TaskOf<'bootstrap' | 'join'>> = {
  name: 'join_container_manager',
  retryPolicy: MANAGER_RETRY_POLICY,
  async run(context) {
    const { host, managerRecord, openManager } = context;
    // A host that is not bootstrapped yet joins at the end of its bootstrap.
    if (!isBootstrapped(host.status)) return done();
    const record = await managerRecord();
    if (record === null) return done();
    return callManager(async () => {
      const manager = await openManager(record);
      const { problems } = await manager.checkConnection();
      if (problems.length > 0) return retry(`container_manager: ${problems.join('; ')}`);
      const report = await manager.report(host.address);
      if (report.state === 'unavailable') return retry(`container_manager: ${report.reason}`);
      // A node can be left over from before the host was reinstalled.
      if (isReadyInCurrentBoot(report, host)) return done({ joined: false });
      const plan = await manager.joinPlan(host);
      return retryInsteadOfFailing((plan && (await runCommandPlan(context, plan))) ?? done({ joined: plan !== null }));
    });
  },
};

export const registerNode: Step<TaskOf<'bootstrap' | 'join'>> = {
  name: 'register_node',
  retryPolicy: MANAGER_RETRY_POLICY,
  async run({ host, managerRecord, openManager }) {
    // A host that is not bootstrapped yet is registered at the end of its bootstrap.
    if (!isBootstrapped(host.status)) return done({ registered: false });
    const record = await managerRecord();
    if (record === null) return done({}, { trigger: 'membership_changed' });
    return callManager(async () => {
      const manager = await openManager(record);
      const problem = await manager.register(host);
      return problem === undefined
        ? done({ registered: true }, { registeredWith: record.name, trigger: 'membership_changed' })
        : retry(`not_registered: ${problem}`);
    });
  },
};

export const deregisterNode: Step<TaskOf<'leave'>, Host | null> = {
  name: 'deregister_node',
  retryPolicy: FORMER_MANAGER_RETRY_POLICY,
  async run({ task, managerRecord, openManager }) {
    const record = task.mayBeNode ? task.containerManager : null;
    // The host has joined again, or another host at the address has. Its node must stay.
    if (record === null || (await managerRecord())?.name === record.name) return done({ deregistered: false });
    return callManager(async () => {
      await (await openManager(record)).remove(task.host);
      return done({ deregistered: true });
    });
  },
};

/** Runs the leave commands on the host. They are skipped if the host does not respond for an hour. */
export const leaveContainerManager: Step<TaskOf<'leave'>, Host | null> = {
  name: 'leave_container_manager',
  retryPolicy: FORMER_HOST_RETRY_POLICY,
  async run(context) {
    const { task, host, state, managerRecord, openManager } = context;
    const record = task.mayBeNode ? task.containerManager : null;
    // The host was removed, was not a node, or has joined the same container manager again.
    if (host === null || record === null || (await managerRecord())?.name === record.name) return done();
    const left = await callManager(async () => {
      const manager = await openManager(record);
      const plan = await manager.leavePlan(host);
      if (plan === null) return done();
      const problem = await runCommandPlan(context, plan);
      if (problem !== undefined) return problem;
      // The kubelet or agent can have registered the node again before it was stopped.
      await manager.remove(host.address);
      return done({ left: true });
    });
    return fallbackWhenExhausted(left, state, done({ left: false }));
  },
};

import type { Host } from '../../domain/hosts/host.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { TaskOf } from '../../domain/tasks/task.ts';
import type { NodeReport } from '../../drivers/container-manager/container-manager.ts';
import { callManager, done, fallbackWhenExhausted, retry, retryInsteadOfFailing } from '../outcomes.ts';
import {
  FORMER_HOST_RETRY_POLICY,
  FORMER_MANAGER_RETRY_POLICY,
  MANAGER_RETRY_POLICY,
} from '../retry-policies.ts';
import { runCommandPlan } from '../run-commands.ts';
import type { Step } from '../step.ts';

/** Whether it is a node of the boot that the host is in, as far as the manager tells. */
const isReadyInCurrentBoot = (report: NodeReport, { bootId }: Host): boolean =>
  report.state === 'registered' && report.ready && (report.bootId ?? bootId) === bootId;

/** The host's own part of becoming a node of the container manager of its cluster, where there is one. */
export const joinContainerManager: Step<TaskOf<'bootstrap' | 'join'>> = {
  name: 'join_container_manager',
  retryPolicy: MANAGER_RETRY_POLICY,
  async run(context) {
    const { host, managerRecord, openManager } = context;
    // One that is not bootstrapped yet joins at the end of that.
    if (!isBootstrapped(host.status)) return done();
    const record = await managerRecord();
    if (record === null) return done();
    return callManager(async () => {
      const manager = await openManager(record);
      const { problems } = await manager.checkConnection();
      if (problems.length > 0) return retry(`container_manager: ${problems.join('; ')}`);
      const report = await manager.report(host.address);
      if (report.state === 'unavailable') return retry(`container_manager: ${report.reason}`);
      // A node may be left over from before the host was installed anew.
      if (isReadyInCurrentBoot(report, host)) return done({ joined: false });
      const plan = await manager.joinPlan(host);
      return retryInsteadOfFailing(
        (plan && (await runCommandPlan(context, plan))) ?? done({ joined: plan !== null }),
      );
    });
  },
};

/** Makes the host a node of the container manager of its cluster, where there is one. */
export const registerNode: Step<TaskOf<'bootstrap' | 'join'>> = {
  name: 'register_node',
  retryPolicy: MANAGER_RETRY_POLICY,
  async run({ host, managerRecord, openManager }) {
    // One that is not bootstrapped yet is registered at the end of that.
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

/** Takes the host, and no other node, out of the container manager that its cluster had. */
export const deregisterNode: Step<TaskOf<'leave'>, Host | null> = {
  name: 'deregister_node',
  retryPolicy: FORMER_MANAGER_RETRY_POLICY,
  async run({ task, managerRecord, openManager }) {
    const record = task.mayBeNode ? task.containerManager : null;
    // It is back, or another host is there now: then it is to stay a node, or has become one already.
    if (record === null || (await managerRecord())?.name === record.name)
      return done({ deregistered: false });
    return callManager(async () => {
      await (await openManager(record)).remove(task.host);
      return done({ deregistered: true });
    });
  },
};

/** The host's own part of being no node any more. A host that does not answer for long is left as it is. */
export const leaveContainerManager: Step<TaskOf<'leave'>, Host | null> = {
  name: 'leave_container_manager',
  retryPolicy: FORMER_HOST_RETRY_POLICY,
  async run(context) {
    const { task, host, state, managerRecord, openManager } = context;
    const record = task.mayBeNode ? task.containerManager : null;
    // It is back already, or nothing of it can be reached any more.
    if (host === null || record === null || (await managerRecord())?.name === record.name) return done();
    const left = await callManager(async () => {
      const manager = await openManager(record);
      const plan = await manager.leavePlan(host);
      if (plan === null) return done();
      const problem = await runCommandPlan(context, plan);
      if (problem !== undefined) return problem;
      // What was still running there may have come back as a node.
      await manager.remove(host.address);
      return done({ left: true });
    });
    return fallbackWhenExhausted(left, state, done({ left: false }));
  },
};

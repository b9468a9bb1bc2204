import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Claim } from '../../domain/tasks/host-queue.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { Network } from '../../drivers/network/network.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import { withTimeout } from '../../lib/time/clock.ts';
import type { Lease } from '../lease.ts';
import { ClaimLostError } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';

/** Long operations such as a drain are polled with several short calls. */
const RESPONSE_TIMEOUT_MS = 60_000;

/** Calls an external system. Throws `ClaimLostError` unless the lease is held before and after the call. */
export async function callFenced<T>(
  clock: TimerClock,
  lease: Pick<Lease, 'assertHeld'>,
  call: () => Promise<T>,
): Promise<T> {
  lease.assertHeld();
  const result = await withTimeout(clock, RESPONSE_TIMEOUT_MS, call);
  lease.assertHeld();
  return result;
}

/** Opens a container manager that rejects calls and writes of driver memory after the claim is lost. */
export async function openFencedManager(
  { openManager, clock }: Pick<EnginePorts, 'openManager' | 'clock'>,
  lease: Pick<Lease, 'assertHeld' | 'isHeld' | 'incarnation'>,
  claim: Claim,
  record: DriverRecord,
): Promise<ContainerManager> {
  const manager = await openManager(record, {
    write: async records => {
      lease.assertHeld();
      if (!(await records.claims.lockIfCurrent(claim, lease.incarnation))) throw new ClaimLostError();
    },
    mayProceed: () => lease.isHeld(),
  });
  const fenced = <T>(call: () => Promise<T>): Promise<T> => callFenced(clock, lease, call);
  return {
    checkConnection: () => fenced(() => manager.checkConnection()),
    joinPlan: host => fenced(() => manager.joinPlan(host)),
    register: host => fenced(() => manager.register(host)),
    remove: node => fenced(() => manager.remove(node)),
    leavePlan: host => fenced(() => manager.leavePlan(host)),
    report: node => fenced(() => manager.report(node)),
    cordon: (node, owner) => fenced(() => manager.cordon(node, owner)),
    uncordon: (node, owner) => fenced(() => manager.uncordon(node, owner)),
    drain: (node, options) => fenced(() => manager.drain(node, options)),
    checkDisruption: node => fenced(() => manager.checkDisruption(node)),
    controlPlane: () => fenced(() => manager.controlPlane()),
  };
}

export async function openFencedNetwork(
  { openNetwork, clock }: Pick<EnginePorts, 'openNetwork' | 'clock'>,
  lease: Pick<Lease, 'assertHeld' | 'isHeld'>,
  record: DriverRecord,
  managerType: string | null,
): Promise<Network> {
  const network = await openNetwork(record, managerType, { mayProceed: () => lease.isHeld() });
  const fenced = <T>(call: () => Promise<T>): Promise<T> => callFenced(clock, lease, call);
  return {
    joinsAs: network.joinsAs,
    checkConnection: () => fenced(() => network.checkConnection()),
    ensureConfigured: () => fenced(() => network.ensureConfigured()),
    joinPlan: host => fenced(() => network.joinPlan(host)),
    leavePlan: host => fenced(() => network.leavePlan(host)),
    releaseHost: node => fenced(() => network.releaseHost(node)),
  };
}

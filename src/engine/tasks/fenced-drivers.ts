import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Claim } from '../../domain/tasks/host-queue.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { Network } from '../../drivers/network/network.ts';
import { withTimeout } from '../../lib/time/clock.ts';
import type { Lease } from '../lease.ts';
import { ClaimLostError } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';
import type { TaskTracing } from './task-tracing.ts';

/** Long operations such as a drain are polled with several short calls. */
const RESPONSE_TIMEOUT_MS = 60_000;

interface FenceOptions {
  readonly lease: Pick<Lease, 'assertHeld' | 'isHeld' | 'incarnation'>;
  readonly claim: Claim;
  readonly tracing: TaskTracing | null;
}

/** A call throws `ClaimLostError` unless the lease is held before and after it. */
function fenceCalls<Driver extends object>(
  driver: Driver,
  name: string,
  { clock }: Pick<EnginePorts, 'clock'>,
  { lease, tracing }: FenceOptions,
): Driver {
  const callFenced = async (call: () => Promise<unknown>) => {
    lease.assertHeld();
    const result = await withTimeout(clock, RESPONSE_TIMEOUT_MS, call);
    lease.assertHeld();
    return result;
  };
  return new Proxy(driver, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const call = () => callFenced(async () => Reflect.apply(member, target, args));
        return tracing ? tracing.call(`${name} ${String(key)}`, call) : call();
      };
    },
  });
}

/** The manager rejects calls and writes of driver memory after the claim is lost. */
export async function openFencedManager(
  ports: Pick<EnginePorts, 'openManager' | 'clock'>,
  options: FenceOptions,
  record: DriverRecord,
): Promise<ContainerManager> {
  const { lease, claim } = options;
  const manager = await ports.openManager(record, {
    write: async records => {
      lease.assertHeld();
      if (!(await records.claims.lockIfCurrent(claim, lease.incarnation))) throw new ClaimLostError();
    },
    mayProceed: () => lease.isHeld(),
  });
  return fenceCalls(manager, 'container manager', ports, options);
}

export async function openFencedNetwork(
  ports: Pick<EnginePorts, 'openNetwork' | 'clock'>,
  options: FenceOptions,
  record: DriverRecord,
  managerType: string | null,
): Promise<Network> {
  const network = await ports.openNetwork(record, managerType, { mayProceed: () => options.lease.isHeld() });
  return fenceCalls(network, 'network', ports, options);
}

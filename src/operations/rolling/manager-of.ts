import type { DriverRecord } from '../../domain/driver-record.ts';
import { cannotBeAsked } from '../../domain/driver-record.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { StepContext } from '../step.ts';

/** What a host fails with whose container manager cannot be asked. */
export const muteProblem = (record: Pick<DriverRecord, 'name' | 'type'>): string =>
  `container_manager: ${cannotBeAsked(record)}`;

/** The container manager of the host's cluster; null: it has none; a text: why it cannot be asked. */
export async function managerOf({
  managerRecord,
  openManager,
}: Pick<StepContext, 'managerRecord' | 'openManager'>): Promise<ContainerManager | null | string> {
  const record = await managerRecord();
  if (record === null) return null;
  const manager = await openManager(record);
  return manager ?? muteProblem(record);
}

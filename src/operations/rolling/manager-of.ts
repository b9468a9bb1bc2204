import type { DriverRecord } from '../../domain/driver-record.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { StepContext } from '../step.ts';

/** Why nothing can be asked of a container manager. */
export const muteProblem = ({ name, type }: Pick<DriverRecord, 'name' | 'type'>): string =>
  `container_manager: ${name} is a ${type}, which cannot be asked yet`;

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

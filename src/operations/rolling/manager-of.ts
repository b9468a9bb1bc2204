import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { StepContext } from '../step.ts';

/** The container manager of the host's cluster; null: it has none; a text: why it cannot be asked. */
export async function managerOf({
  managerRecord,
  openManager,
}: Pick<StepContext, 'managerRecord' | 'openManager'>): Promise<ContainerManager | null | string> {
  const record = await managerRecord();
  if (record === null) return null;
  const manager = await openManager(record);
  return manager ?? `container_manager: ${record.name} is a ${record.type}, which cannot be asked yet`;
}

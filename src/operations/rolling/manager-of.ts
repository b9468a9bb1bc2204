import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { StepContext } from '../step.ts';

/** The container manager of the host's cluster; null: it has none. */
export async function managerOf({
  managerRecord,
  openManager,
}: Pick<StepContext, 'managerRecord' | 'openManager'>): Promise<ContainerManager | null> {
  const record = await managerRecord();
  return record && openManager(record);
}

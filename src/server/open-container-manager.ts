import { memoryScope } from '../app/driver-records/memory-scope.ts';
import type { DriverRecord } from '../domain/driver-record.ts';
import type { Vault } from '../domain/secret.ts';
import type { ContainerManager } from '../drivers/container-manager/container-manager.ts';
import type { Drivers } from '../drivers/index.ts';
import type { ManagerGuard } from '../engine/ports.ts';
import { openOptions } from '../secrets/sealed-options.ts';
import { driverMemoryOf } from '../store/driver-memory.ts';
import type { Store } from '../store/store.ts';

/** What opens the container manager that a record describes; `undefined` where nothing can be asked of that type yet. */
export const openManagerWith =
  ({ store, vault, drivers }: { store: Store; vault: Vault; drivers: Drivers }) =>
  async (record: DriverRecord, guard?: ManagerGuard): Promise<ContainerManager | undefined> => {
    const driver = drivers.container_manager.find(candidate => candidate.type === record.type);
    return driver?.open?.({
      options: await openOptions({ vault, keys: store.reads.dataKeys, kind: 'container_manager' }, record),
      memory: driverMemoryOf(store, memoryScope('container_manager', record.name), guard?.write),
      mayProceed: guard?.mayProceed ?? (() => true),
    });
  };

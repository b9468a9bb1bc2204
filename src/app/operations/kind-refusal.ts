import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { Reads } from '../../store/records.ts';
import type { Ports } from '../ports.ts';

/** Why the container manager of a cluster does not take operations of a kind, if so. */
export async function kindRefusal(
  { drivers }: Pick<Ports, 'drivers'>,
  reads: Pick<Reads, 'driverRecords'>,
  cluster: RecordName,
  kind: OperationKind,
): Promise<AppError | undefined> {
  const record = await reads.driverRecords.managerOf(cluster);
  const driver = record && drivers.container_manager.find(({ type }) => type === record.type);
  const why = driver?.unsupportedOperations?.[kind];
  return why === undefined
    ? undefined
    : new AppError('operation_not_supported', `the cluster ${cluster} does not support ${kind}: ${why}`);
}

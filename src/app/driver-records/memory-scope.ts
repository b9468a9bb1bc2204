import type { RecordName } from '../../domain/record-name.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';

/** Where the driver of a record keeps what it remembers. */
export const memoryScope = (kind: DriverRecordKind, name: RecordName): string => `${kind}/${name}`;

import type { OperationKind } from '../../domain/vocabulary.ts';
import { harmless } from '../../lib/text/harmless.ts';

/** As people call it. */
export const operationName = (operation: {
  readonly kind: OperationKind;
  readonly cluster: string;
}): string => harmless(`${operation.kind} of ${operation.cluster}`);

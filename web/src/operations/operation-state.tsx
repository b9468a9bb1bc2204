import { operationTone } from '#client/tone.ts';
import { Badge, wordsOf } from '../ui/status.tsx';
import type { Operation } from './operation.ts';

/** How an operation is, and whether somebody is to look at it. */
export const OperationState = ({ state, counts }: Pick<Operation, 'state' | 'counts'>) => (
  <Badge tone={operationTone(state, counts)}>{wordsOf(state)}</Badge>
);

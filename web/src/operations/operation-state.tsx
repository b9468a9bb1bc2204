import { operationStateText } from '#client/operation-words.ts';
import { operationTone } from '#client/tone.ts';
import { Badge } from '../ui/status.tsx';
import { begun } from '../ui/words/sentence.ts';
import type { Operation } from './operation.ts';

/** How an operation is, and whether somebody is to look at it. */
export const OperationState = ({ state, counts }: Pick<Operation, 'state' | 'counts'>) => (
  <Badge tone={operationTone(state, counts)}>{begun(operationStateText(state, counts))}</Badge>
);

import { operationTone } from '#client/tone.ts';
import { Badge } from '../ui/status.tsx';
import { begun } from '../ui/words/sentence.ts';
import type { Operation } from './operation.ts';
import { stateWords } from './operation.ts';

/** How an operation is, and whether somebody is to look at it. */
export const OperationState = ({ state, counts }: Pick<Operation, 'state' | 'counts'>) => (
  <Badge tone={operationTone(state, counts)}>{begun(stateWords(state, counts))}</Badge>
);

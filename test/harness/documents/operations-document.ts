// The drawings and tables of docs/guides/run-operations.md.

import { Policy } from '../../../src/contract/policy.ts';
import { OPERATION_KINDS, OPERATION_VERBS } from '../../../src/domain/vocabulary.ts';
import { viewPolicy } from '../../../src/http/views/policy.ts';
import { code, table } from './markdown-table.ts';
import { defaultPolicy, hostArrows, leavingRows, operationArrows, verbRows } from './operation-tables.ts';

const drawing = (arrows: readonly string[]) =>
  ['```mermaid', 'stateDiagram-v2', ...arrows.map(arrow => `  ${arrow}`), '```'].join('\n');

export const operationDrawing = () =>
  drawing([
    '[*] --> planned: PUT',
    ...operationArrows().map(
      ({ from, to, why }) => `${from} --> ${to}${why.length > 0 ? `: ${why.join(', ')}` : ''}`,
    ),
  ]);

export const hostDrawing = () => drawing(hostArrows());

export const verbsTable = () =>
  table(
    ['state', ...OPERATION_VERBS.map(code)],
    verbRows().map(([state, ...cells]) => [
      state
        .split(', ')
        .map(word => code(word))
        .join(' by '),
      ...cells,
    ]),
  );

export const leavingTable = () =>
  table(
    ['step', 'phase', 'cancel', 'skip', 'it fails', 'a failure keeps its slot'],
    leavingRows().map(([step = '', phase = '', ...cells]) => [code(step), code(phase), ...cells]),
  );

/** What differs between the kinds, or by whether there is a container manager, is told in the meaning. */
function defaultCell(field: keyof ReturnType<typeof viewPolicy>): string {
  const found = OPERATION_KINDS.flatMap(kind =>
    [true, false].map(hasManager => JSON.stringify(viewPolicy(defaultPolicy(kind, hasManager))[field])),
  );
  return [...new Set(found)].map(code).join(' or ');
}

/** The column before has the default. */
const meaningOf = (shape: object) =>
  ('description' in shape ? String(shape.description) : '')
    .replace(/\.? Default:? [^.]*\.$/, '')
    .replace(/\.$/, '');

export const policyTable = () =>
  table(
    ['field', 'default', 'meaning'],
    Object.entries(Policy.properties).map(([field, shape]) => [
      code(field),
      defaultCell(field as keyof ReturnType<typeof viewPolicy>),
      meaningOf(shape),
    ]),
  );

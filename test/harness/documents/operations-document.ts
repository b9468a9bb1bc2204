// The drawings and tables of docs/reference/operation-states.md and docs/guides/run-operations.md.

import { Policy } from '../../../src/contract/policy.ts';
import type { OperationKind } from '../../../src/domain/vocabulary.ts';
import { OPERATION_ACTIONS, OPERATION_KINDS } from '../../../src/domain/vocabulary.ts';
import { viewPolicy } from '../../../src/http/views/policy.ts';
import { code, table } from './markdown-table.ts';
import { defaultPolicy, leavingRows, operationArrows, verbRows } from './operation-tables.ts';

const drawing = (arrows: readonly string[]) =>
  ['```mermaid', 'stateDiagram-v2', ...arrows.map(arrow => `  ${arrow}`), '```'].join('\n');

export const operationDrawing = () =>
  drawing([
    '[*] --> planned: PUT',
    ...operationArrows().map(
      ({ from, to, why }) => `${from} --> ${to}${why.length > 0 ? `: ${why.join(', ')}` : ''}`,
    ),
  ]);

export const verbsTable = () =>
  table(
    ['State', ...OPERATION_ACTIONS.map(code)],
    verbRows().map(([state, ...cells]) => [
      state
        .split(', ')
        .map(word => code(word))
        .join(' by '),
      ...cells,
    ]),
  );

const leavingTableOf = (kind: OperationKind) =>
  table(
    ['Step', 'Phase', 'Cancel', 'Skip', 'Failure', 'Failed host keeps slot until'],
    leavingRows(kind).map(([step = '', phase = '', ...cells]) => [code(step), code(phase), ...cells]),
  );

export const leavingTable = () =>
  ['Restart:', leavingTableOf('restart'), 'Upgrade and deploy:', leavingTableOf('upgrade')].join('\n\n');

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
    ['Field', 'Default', 'Meaning'],
    Object.entries(Policy.properties).map(([field, shape]) => [
      code(field),
      defaultCell(field as keyof ReturnType<typeof viewPolicy>),
      meaningOf(shape),
    ]),
  );

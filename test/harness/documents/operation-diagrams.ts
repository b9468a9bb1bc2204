// Diagrams and tables of docs/reference/operation-states.md and docs/guides/run-operations.md.

import { Policy } from '../../../src/contract/policy.ts';
import type { OperationKind } from '../../../src/domain/vocabulary.ts';
import { OPERATION_ACTIONS, OPERATION_KINDS } from '../../../src/domain/vocabulary.ts';
import { viewPolicy } from '../../../src/http/views/policy.ts';
import { code, table } from './markdown.ts';
import { abortRows, actionRows, defaultPolicy, operationArrows } from './operation-tables.ts';

const diagram = (arrows: readonly string[]) =>
  ['```mermaid', 'stateDiagram-v2', ...arrows.map(arrow => `  ${arrow}`), '```'].join('\n');

export const operationDiagram = () =>
  diagram([
    '[*] --> planned: PUT',
    ...operationArrows().map(
      ({ from, to, causes }) => `${from} --> ${to}${causes.length > 0 ? `: ${causes.join(', ')}` : ''}`,
    ),
  ]);

export const actionsTable = () =>
  table(
    ['State', ...OPERATION_ACTIONS.map(code)],
    actionRows().map(([state, ...cells]) => [
      state
        .split(', ')
        .map(word => code(word))
        .join(' by '),
      ...cells,
    ]),
  );

const abortTableFor = (kind: OperationKind) =>
  table(
    ['Step', 'Phase', 'Cancel', 'Skip', 'Failure', 'Failed host keeps slot until'],
    abortRows(kind).map(([step = '', phase = '', ...cells]) => [code(step), code(phase), ...cells]),
  );

export const abortTable = () =>
  ['Restart:', abortTableFor('restart'), 'Upgrade and deploy:', abortTableFor('upgrade')].join('\n\n');

/** Lists all defaults if they differ by kind or container manager. */
function defaultCell(field: keyof ReturnType<typeof viewPolicy>): string {
  const found = OPERATION_KINDS.flatMap(kind =>
    [true, false].map(hasManager => JSON.stringify(viewPolicy(defaultPolicy(kind, hasManager))[field])),
  );
  return [...new Set(found)].map(code).join(' or ');
}

/** Removes the default, which has its own column. */
const formatMeaning = (shape: object) =>
  ('description' in shape ? String(shape.description) : '').replace(/\.? Default:? [^.]*\.$/, '').replace(/\.$/, '');

export const policyTable = () =>
  table(
    ['Field', 'Default', 'Meaning'],
    Object.entries(Policy.properties).map(([field, shape]) => [
      code(field),
      defaultCell(field as keyof ReturnType<typeof viewPolicy>),
      formatMeaning(shape),
    ]),
  );

import { describe, expect, test } from 'vitest';
import { createColorizer } from './format.ts';
import type { Column } from './table.ts';
import { renderTable } from './table.ts';

interface Row {
  readonly address: string;
  readonly cpus: number;
  readonly reason: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { header: 'ADDRESS', value: ({ address }) => address },
  { header: 'CPUS', value: ({ cpus }) => String(cpus), isRightAligned: true },
  { header: 'REASON', value: ({ reason }) => reason, isTruncatable: true },
];
const ROWS: readonly Row[] = [
  { address: '127.0.0.1', cpus: 2, reason: 'unreachable: nobody answers there' },
  { address: '127.0.0.12', cpus: 16, reason: '' },
];
const render = (maxWidth: number | undefined) =>
  renderTable(ROWS, COLUMNS, { maxWidth, isWide: false, colorize: createColorizer(false) }).split('\n');

describe('a table', () => {
  test('is as wide as it is where nobody looks', () => {
    expect(render(undefined)).toEqual([
      'ADDRESS     CPUS  REASON',
      '127.0.0.1      2  unreachable: nobody answers there',
      '127.0.0.12    16',
      '',
    ]);
  });

  test('fits the terminal: what may be cut is cut first', () => {
    expect(render(36)[1]).toBe('127.0.0.1      2  unreachable: nobo…');
  });

  test.each([26, 24, 22, 20])('fits %i columns, and what things are called stays whole', columns => {
    const lines = render(columns);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    expect(lines[2]).toMatch(/^127\.0\.0\.12 /);
  });

  test.each<[number, string, readonly string[]]>([
    [80, 'beside the rest where it has room', ['127.0.0.1      2  unreachable: nobody answers there']],
    [43, 'cut where much of it is seen', ['127.0.0.1      2  unreachable: nobody answ…']],
    [32, 'below its row where little would be', ['127.0.0.1      2', '    unreachable: nobody answers…']],
  ])('at %i columns has a sentence %s', (maxWidth, _placement, lines) => {
    const wrappingColumns = COLUMNS.map(column =>
      column.header === 'REASON' ? { ...column, canWrapBelow: true as const } : column,
    );
    const rendered = renderTable(ROWS, wrappingColumns, {
      maxWidth,
      isWide: false,
      colorize: createColorizer(false),
    });
    expect(rendered.split('\n').slice(1)).toEqual([...lines, '127.0.0.12    16', '']);
  });
});

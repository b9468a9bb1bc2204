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
  { address: '127.0.0.1', cpus: 2, reason: 'unreachable: connection timed out' },
  { address: '127.0.0.12', cpus: 16, reason: '' },
];
const render = (maxWidth: number | undefined) =>
  renderTable(ROWS, COLUMNS, { maxWidth, isWide: false, colorize: createColorizer(false) }).split('\n');

describe('renderTable()', () => {
  test('truncates nothing without a width limit', () => {
    expect(render(undefined)).toEqual([
      'ADDRESS     CPUS  REASON',
      '127.0.0.1      2  unreachable: connection timed out',
      '127.0.0.12    16',
      '',
    ]);
  });

  test('truncates truncatable columns first', () => {
    expect(render(36)[1]).toBe('127.0.0.1      2  unreachable: conn…');
  });

  test.each([26, 24, 22, 20])('fits into %i columns without truncating the first column', columns => {
    const lines = render(columns);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    expect(lines[2]).toMatch(/^127\.0\.0\.12 /);
  });

  test.each<[number, string, readonly string[]]>([
    [80, 'beside the other columns if there is room', ['127.0.0.1      2  unreachable: connection timed out']],
    [43, 'truncated if most of it fits', ['127.0.0.1      2  unreachable: connection …']],
    [32, 'below its row if little of it fits', ['127.0.0.1      2', '    unreachable: connection tim…']],
  ])('prints a sentence in %i columns %s', (maxWidth, _name, lines) => {
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

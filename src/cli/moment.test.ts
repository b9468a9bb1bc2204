import { describe, expect, test } from 'vitest';
import { momentOf } from './moment.ts';

const NOW_MS = Date.parse('2026-11-15T08:30:00Z');

describe('moments', () => {
  test.each([
    ['1h', '2026-11-15T07:30:00.000000'],
    ['7d', '2026-11-08T08:30:00.000000'],
    ['2026-11-01', '2026-11-01'],
    ['2026-11-01T10:00', '2026-11-01T10:00'],
    ['2026-11-01T10:00:00.5Z', '2026-11-01T10:00:00.500000'],
    ['2026-11-01T10:00:00+02:00', '2026-11-01T08:00:00.000000'],
  ])('%s is %s', (text, wire) => {
    expect(momentOf(text, NOW_MS)).toBe(wire);
  });

  test.each(['yesterday', '', '1 h', '2026-13-45T99:00Z', '9999999w'])('%j is none', text => {
    expect(() => momentOf(text, NOW_MS)).toThrow(`invalid time "${text}": use 1h or 7d`);
  });
});

import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { RecentCallers } from './recent-callers.ts';

const login = { account: toRecordName('ann'), role: 'operator' } as const;
const presented = new Secret('Basic YW5uOmNvcnJlY3QgaG9yc2U=');
const HOME = '127.0.0.1';

describe('a recent caller', () => {
  let nowMs: number;
  let callers: RecentCallers;

  beforeEach(() => {
    nowMs = 0;
    callers = new RecentCallers({ now: () => 0, monotonicMs: () => nowMs });
    callers.add(presented, HOME, login, 1000);
  });

  test('is found until the time that was given', () => {
    expect(callers.find(presented, HOME)).toEqual(login);
    nowMs = 999;
    expect(callers.find(presented, HOME)).toEqual(login);
    nowMs = 1000;
    expect(callers.find(presented, HOME)).toBeUndefined();
  });

  test.each([
    ['presents something else', 'Basic YW5uOndyb25n', HOME],
    ['calls from elsewhere', 'Basic YW5uOmNvcnJlY3QgaG9yc2U=', '127.0.0.2'],
    ['moves a sign from one to the other', ' Basic YW5uOmNvcnJlY3QgaG9yc2U=', '127.0.0.1'],
  ])('is not found when somebody %s', (_what, text, address) => {
    expect(callers.find(new Secret(text), address)).toBeUndefined();
  });

  test('is not found once all are forgotten', () => {
    callers.clear();
    expect(callers.find(presented, HOME)).toBeUndefined();
  });

  test('is not kept as what was presented', () => {
    expect(inspect(callers, { depth: null, showHidden: true })).not.toContain('YW5u');
  });

  test('does not make room for ever more', () => {
    for (let index = 0; index < 10_000; index += 1) callers.add(new Secret(String(index)), HOME, login, 1000);
    expect(callers.find(presented, HOME)).toBeUndefined();
    expect(callers.find(new Secret('9999'), HOME)).toEqual(login);
  });
});

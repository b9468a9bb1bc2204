import { beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import { Sight } from './sight.ts';

const host = (index: number) => `127.0.0.${index}` as Address;

describe('what a server sees of its hosts', () => {
  let nowMs: number;
  let sight: Sight;
  let changes: boolean[];
  beforeEach(() => {
    [nowMs, changes] = [0, []];
    sight = new Sight({ monotonicMs: () => nowMs }, 60_000, isBlind => changes.push(isBlind));
  });

  const look = (index: number, hasAnswered: boolean) => {
    nowMs += 1000;
    sight.note(host(index), hasAnswered);
  };
  const lookAt = (from: number, to: number, hasAnswered: boolean) => {
    for (let index = from; index <= to; index += 1) look(index, hasAnswered);
  };
  const conclude = (index: number) => sight.conclude(host(index), sight.judge(host(index)));

  test('one that is silent among others that answer after it is lost', () => {
    look(1, false);
    lookAt(2, 6, true);
    expect(sight.judge(host(1))).toBe('lost');
  });

  test('answers from before the first silence say nothing', () => {
    lookAt(10, 60, true);
    lookAt(1, 6, false);
    expect(sight.judge(host(1))).toBe('blind');
  });

  test('those that are silent count for each of them, whoever was first', () => {
    lookAt(1, 3, false);
    expect([1, 2, 3].map(index => sight.judge(host(index)))).toEqual(['blind', 'blind', 'blind']);
  });

  test('one that is lost is no evidence against the server later', () => {
    for (let index = 1; index <= 5; index += 1) {
      look(index, false);
      lookAt(10, 12, true);
      conclude(index);
    }
    expect(sight.isBlind).toBe(false);
  });

  test('few have to be looked at before one is judged', () => {
    look(1, false);
    expect(sight.witnessesWanted(host(1))).toBe(5);
    lookAt(2, 4, true);
    expect(sight.witnessesWanted(host(1))).toBe(2);
    lookAt(5, 9, true);
    expect(sight.witnessesWanted(host(1))).toBe(0);
  });

  test('it is blind until most of the latest answer again, and says so once each time', () => {
    lookAt(1, 8, false);
    conclude(1);
    conclude(2);
    expect(changes).toEqual([true]);
    look(1, true);
    expect(sight.isBlind).toBe(true);
    lookAt(2, 5, true);
    expect(changes).toEqual([true, false]);
  });

  test('what is long ago is forgotten', () => {
    lookAt(1, 6, false);
    nowMs += 121_000;
    look(7, false);
    expect(sight.judge(host(7))).toBe('lost');
  });
});

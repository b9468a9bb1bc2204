import { expect, test } from 'vitest';
import type { Log } from '../../lib/log.ts';
import { tellRefused } from './tell-refused.ts';

test('refused connections are told at once, then by a line a minute with how many there were', () => {
  let [nowMs, counted] = [0, 0];
  const lines: unknown[] = [];
  const log = { warn: (fields: unknown) => lines.push(fields) } as unknown as Log;
  const refused = () => {
    counted += 1;
  };
  const meter = tellRefused({ opened: () => {}, closed: () => {}, refused }, log, {
    now: () => 0,
    monotonicMs: () => nowMs,
  });
  meter.refused('client', '192.0.2.1');
  nowMs = 59_999;
  for (let times = 0; times < 10; times += 1) meter.refused('client', '192.0.2.1');
  expect(lines).toEqual([{ limit: 'client', address: '192.0.2.1', rejected: 1 }]);
  nowMs = 60_000;
  meter.refused('total', '192.0.2.2');
  expect(lines.slice(1)).toEqual([{ limit: 'total', address: '192.0.2.2', rejected: 11 }]);
  expect(counted).toBe(12);
});

import type { ExportResult } from '@opentelemetry/core';
import { ExportResultCode } from '@opentelemetry/core';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../lib/time/virtual-clock.ts';
import { TellingExporter } from './telling-exporter.ts';

const SENT = { code: ExportResultCode.SUCCESS };
const LOST = {
  code: ExportResultCode.FAILED,
  error: Object.assign(new Error('Unauthorized'), { code: 401 }),
};

function tellingExporter() {
  const clock = new VirtualClock();
  const told: unknown[] = [];
  const tell = (details: object, message: string) => void told.push([message, details]);
  let result: ExportResult = SENT;
  const exporter = new TellingExporter(
    { export: (_spans, done) => done(result), shutdown: async () => {} },
    { clock, log: { info: tell, warn: tell } as ConstructorParameters<typeof TellingExporter>[1]['log'] },
  );
  const send = (next: ExportResult) => {
    result = next;
    exporter.export([], () => {});
  };
  return { clock, told, send };
}

test('it is told once that traces cannot be sent, with the reason, and once that they can again', () => {
  const { told, send } = tellingExporter();
  for (const result of [SENT, LOST, LOST, LOST, SENT, SENT]) send(result);
  expect(told).toEqual([
    ['trace export to trace_endpoint fails; spans are dropped', { problem: 'HTTP 401: Unauthorized' }],
    ['trace export recovered', { lostSpans: 0 }],
  ]);
});

test('an endpoint that comes and goes does not fill the log', async () => {
  const { clock, told, send } = tellingExporter();
  for (let count = 0; count < 100; count += 1) {
    send(LOST);
    send(SENT);
  }
  expect(told).toHaveLength(2);
  await clock.advance(60_000);
  send(LOST);
  expect(told).toHaveLength(3);
});

import type { ExportResult } from '@opentelemetry/core';
import { ExportResultCode } from '@opentelemetry/core';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { LoggingSpanExporter } from './logging-span-exporter.ts';

const SUCCESS = { code: ExportResultCode.SUCCESS };
const FAILURE = {
  code: ExportResultCode.FAILED,
  error: Object.assign(new Error('Unauthorized'), { code: 401 }),
};

function createTestExporter() {
  const clock = new VirtualClock();
  const messages: unknown[] = [];
  const record = (details: object, message: string) => void messages.push([message, details]);
  let result: ExportResult = SUCCESS;
  const exporter = new LoggingSpanExporter(
    { export: (_spans, done) => done(result), shutdown: async () => {} },
    {
      clock,
      log: { info: record, warn: record } as ConstructorParameters<typeof LoggingSpanExporter>[1]['log'],
    },
  );
  const send = (next: ExportResult) => {
    result = next;
    exporter.export([], () => {});
  };
  return { clock, messages, send };
}

test('LoggingSpanExporter logs once that the export fails, with the reason, and once that it recovered', () => {
  const { messages, send } = createTestExporter();
  for (const result of [SUCCESS, FAILURE, FAILURE, FAILURE, SUCCESS, SUCCESS]) send(result);
  expect(messages).toEqual([
    ['trace export to trace_endpoint fails; spans are dropped', { problem: 'HTTP 401: Unauthorized' }],
    ['trace export recovered', { lostSpans: 0 }],
  ]);
});

test('LoggingSpanExporter limits the log lines of an unstable endpoint', async () => {
  const { clock, messages, send } = createTestExporter();
  for (let count = 0; count < 100; count += 1) {
    send(FAILURE);
    send(SUCCESS);
  }
  expect(messages).toHaveLength(2);
  await clock.advance(60_000);
  send(FAILURE);
  expect(messages).toHaveLength(3);
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TraceReceiver } from '../../../test/harness/monitoring/trace-receiver.ts';
import { countLoadedFiles } from '../../../test/harness/programs/loaded-files.ts';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { startOpenTelemetry } from './open-telemetry.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER = `00-${TRACE_ID}-b7ad6b7169203331-01`;
const SPAN = { name: 'test', kind: 'internal', attributes: {} } as const;
/** More than MAX_QUEUE_SIZE. */
const MANY_SPANS = 10_000;
const MAX_QUEUE_SIZE = 8192;
/** The export to an endpoint that hangs ends after this time. A shutdown must not wait for it. */
const EXPORT_TIMEOUT_MS = 10_000;

let receiver: TraceReceiver;
beforeEach(async () => {
  receiver = await TraceReceiver.start();
});
afterEach(() => receiver.stop());

function startTestTracing() {
  const clock = new VirtualClock();
  const messages: string[] = [];
  const record = (_details: unknown, message?: string) => void messages.push(String(message));
  const log = { info: record, warn: record } as unknown as Parameters<typeof startOpenTelemetry>[0]['log'];
  const { tracer, stop } = startOpenTelemetry({ endpoint: receiver.url, headers: {}, clock, log });
  return { clock, messages, tracer, stop };
}

test('OpenTelemetry files are visible to the check of loaded files', () => {
  expect(countLoadedFiles('@opentelemetry')).toBeGreaterThan(0);
});

describe('the parent of a span', () => {
  test.each([
    ['comes from the traceparent', CALLER, { traceId: TRACE_ID, parentId: 'b7ad6b7169203331' }],
    ['can have a later version of the format', `01${CALLER.slice(2)}-more`, { traceId: TRACE_ID }],
    ['is empty for an invalid traceparent', '00-0af7-b7ad-01', { parentId: '' }],
    ['is empty for two values', `${CALLER}, ${CALLER}`, { parentId: '' }],
    ['is empty for zero IDs', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, { parentId: '' }],
    ['is empty without a traceparent', undefined, { parentId: '' }],
  ])('%s', async (_name, parent, expected) => {
    const { tracer, stop } = startTestTracing();
    const span = tracer.start({ ...SPAN, parent });
    span.end();
    await stop();
    expect(receiver.spans).toMatchObject([expected]);
    const [{ traceId, spanId } = {}] = receiver.spans;
    expect(span.context).toBe(`00-${traceId}-${spanId}-01`);
  });

  test('leaves the span and its children unsampled if it is not sampled', async () => {
    const { tracer, stop } = startTestTracing();
    const span = tracer.start({ ...SPAN, parent: CALLER.replace(/01$/, '00') });
    tracer.start({ ...SPAN, parent: span.context }).end();
    span.end();
    await stop();
    expect(span.context).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`));
    expect(receiver.spans).toEqual([]);
  });
});

test('a span has the times of the clock, its attributes and its error', async () => {
  const { clock, tracer, stop } = startTestTracing();
  const beginMs = clock.now();
  const span = tracer.start({ ...SPAN, parent: undefined });
  await clock.advance(3_600_000);
  span.end({ attributes: { more: 1 }, errorType: 'timed_out' });
  await stop();
  expect(receiver.spans).toMatchObject([
    {
      ...{ startMs: beginMs, endMs: beginMs + 3_600_000, isError: true },
      attributes: { more: 1, 'error.type': 'timed_out' },
    },
  ]);
});

test('an endpoint that hangs receives a bounded number of spans and does not delay the shutdown', async () => {
  receiver.reply = 'hang_response';
  const { tracer, stop } = startTestTracing();
  for (let count = 0; count < MANY_SPANS; count += 1) tracer.start({ ...SPAN, parent: undefined }).end();
  await waitUntil('spans have arrived', () => receiver.bodies.length > 0);
  const stoppedMs = performance.now();
  await stop();
  expect(performance.now() - stoppedMs).toBeLessThan(EXPORT_TIMEOUT_MS);
  expect(receiver.spans.length).toBeLessThanOrEqual(MAX_QUEUE_SIZE + 512);
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TraceReceiver } from '../../../test/harness/monitoring/trace-receiver.ts';
import { loadedFiles } from '../../../test/harness/programs/loaded-files.ts';
import { until } from '../../../test/harness/until.ts';
import { VirtualClock } from '../../lib/time/virtual-clock.ts';
import { startOpenTelemetry } from './open-telemetry.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER = `00-${TRACE_ID}-b7ad6b7169203331-01`;
const SPAN = { name: 'work', kind: 'internal', attributes: {} } as const;
/** More than may wait. */
const MANY_SPANS = 10_000;
const MAX_QUEUE_SIZE = 8192;
/** After so long an endpoint that hangs is given up; a stop must not wait for that. */
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
  if (tracer === null) throw new Error('it traces');
  return { clock, messages, tracer, stop };
}

test('its files are seen by those who count them', () => {
  expect(loadedFiles('@opentelemetry')).toBeGreaterThan(0);
});

describe('the span that another is under', () => {
  test.each([
    ['is that of the context', CALLER, { traceId: TRACE_ID, parentId: 'b7ad6b7169203331' }],
    ['may be of a later version of the form', `01${CALLER.slice(2)}-more`, { traceId: TRACE_ID }],
    ['is none where the context makes no sense', '00-0af7-b7ad-01', { parentId: '' }],
    ['is none where there are two', `${CALLER}, ${CALLER}`, { parentId: '' }],
    ['is none where the ids are empty', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, { parentId: '' }],
    ['is none where there is no context', undefined, { parentId: '' }],
  ])('%s', async (_what, parent, expected) => {
    const { tracer, stop } = startTestTracing();
    const span = tracer.start({ ...SPAN, parent });
    span.end();
    await stop();
    expect(receiver.spans).toMatchObject([expected]);
    const [{ traceId, spanId } = {}] = receiver.spans;
    expect(span.context).toBe(`00-${traceId}-${spanId}-01`);
  });

  test('that is not traced leaves those under it untraced, too', async () => {
    const { tracer, stop } = startTestTracing();
    const span = tracer.start({ ...SPAN, parent: CALLER.replace(/01$/, '00') });
    tracer.start({ ...SPAN, parent: span.context }).end();
    span.end();
    await stop();
    expect(span.context).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`));
    expect(receiver.spans).toEqual([]);
  });
});

test('a span has the times of the clock, however long it lasted, and what went wrong', async () => {
  const { clock, tracer, stop } = startTestTracing();
  const beginMs = clock.now();
  const span = tracer.start({ ...SPAN, parent: undefined });
  await clock.advance(3_600_000);
  span.end({ attributes: { more: 1 }, errorType: 'timed_out' });
  await stop();
  expect(receiver.spans).toMatchObject([
    {
      ...{ beginMs, endMs: beginMs + 3_600_000, isError: true },
      attributes: { more: 1, 'error.type': 'timed_out' },
    },
  ]);
});

test('an endpoint that hangs is sent a bounded number of spans, and not waited for at a stop', async () => {
  receiver.reply = 'hang';
  const { tracer, stop } = startTestTracing();
  for (let count = 0; count < MANY_SPANS; count += 1) tracer.start({ ...SPAN, parent: undefined }).end();
  await until('spans have arrived', () => receiver.bodies.length > 0);
  const stoppedMs = performance.now();
  await stop();
  expect(performance.now() - stoppedMs).toBeLessThan(EXPORT_TIMEOUT_MS);
  expect(receiver.spans.length).toBeLessThanOrEqual(MAX_QUEUE_SIZE + 512);
});

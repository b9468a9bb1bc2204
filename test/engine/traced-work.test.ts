// The trace of an operation whose server dies: whoever takes over goes on in it. Minutes pass in a moment, and spans have their true times.

import { expect, test } from 'vitest';
import { startOperation } from '../../src/app/operations/start-operation.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/actor.ts';
import { Refusal } from '../../src/domain/errors.ts';
import { recordNameOf } from '../../src/domain/record-name.ts';
import { openTelemetry } from '../../src/server/tracing/open-telemetry.ts';
import type { Tracing } from '../../src/server/tracing/tracing.ts';
import { pathTo, TraceReceiver } from '../harness/monitoring/trace-receiver.ts';
import { simulate } from '../harness/simulation/simulate.ts';
import { addresses, operatedCluster } from './operations/operated-cluster.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const REQUEST = `00-${TRACE_ID}-b7ad6b7169203331-01`;
const BOOT_MS = 120_000;
const silent = { info: () => {}, warn: () => {} };

test('goes on by another server, in the same trace, with the times at which things were done', async () => {
  const receiver = await TraceReceiver.start();
  const tracings: Tracing[] = [];
  const { simulation, end } = await simulate('sqlite', {
    tracer: clock => {
      const tracing = openTelemetry({ endpoint: receiver.url, headers: {}, clock, log: silent });
      tracings.push(tracing);
      return tracing.tracer;
    },
  });
  try {
    const [first, second] = addresses(2);
    if (first === undefined || second === undefined) throw new Error('there are two');
    const doomed = await simulation.startServer({ isShared: true });
    const cluster = await operatedCluster(simulation, [first, second], { bootMs: BOOT_MS });
    const actor = { ...LOCAL_ACTOR, trace: REQUEST };
    const started = await startOperation(simulation.ports, actor, {
      ...{ cluster: recordNameOf('c'), kind: 'restart', version: '', idempotencyKey: null },
      wish: {},
    });
    if (started instanceof Refusal) throw new Error(started.detail);
    const { id } = started.record;
    await cluster.inPhase(id, first, 'rebooting');
    doomed.mortal.kill();
    const takenOverMs = simulation.clock.now();
    await simulation.startServer({ isShared: true });
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done done');

    for (const { stop } of tracings) await stop();
    const { spans } = receiver;
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
    const paths = (since: number, host: string) =>
      spans
        .filter(({ beginMs, attributes }) => beginMs >= since && attributes['server.address'] === host)
        .map(span => pathTo(span, spans));
    expect(paths(0, first)).toContain('work stage > step preflight > connect');
    expect(paths(takenOverMs, first)).toContain('work roll > step verify > run sh');
    expect(spans.map(span => pathTo(span, spans))).toContain(
      'work roll > step cordon > container manager cordon',
    );
    // It had to wait for the other to boot.
    const rolled = spans.filter(({ attributes }) => attributes['hostler.host'] === second);
    const begins = rolled.map(({ beginMs }) => beginMs).toSorted((one, other) => one - other);
    expect((begins.at(-1) ?? 0) - (begins[0] ?? 0)).toBeGreaterThan(BOOT_MS);
  } finally {
    await end();
    await receiver.stop();
  }
});

// The trace of an operation whose server dies: whoever takes over goes on in it. Minutes pass in a moment, and spans have their true times.

import { expect, test } from 'vitest';
import { startOperation } from '../../src/app/operations/start-operation.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { AppError } from '../../src/domain/errors.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import type { OperationKind } from '../../src/domain/vocabulary.ts';
import type { Tracing } from '../../src/server/tracing/open-telemetry.ts';
import { startOpenTelemetry } from '../../src/server/tracing/open-telemetry.ts';
import { simulatedApt } from '../../src/simulator/os/apt.ts';
import { withCommonCommands } from '../../src/simulator/os/os-simulators.ts';
import type { CommandSimulator } from '../../src/simulator/simulated-machine.ts';
import type { ReceivedSpan } from '../harness/monitoring/trace-receiver.ts';
import { pathTo, TraceReceiver } from '../harness/monitoring/trace-receiver.ts';
import { simulate } from '../harness/simulation/simulate.ts';
import type { Simulation } from '../harness/simulation/simulation.ts';
import type { WorldOptions } from '../harness/simulation/world-options.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';
import { addresses, operatedCluster } from './operations/operated-cluster.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const REQUEST = `00-${TRACE_ID}-b7ad6b7169203331-01`;
const BOOT_MS = 120_000;
const silent = { info: () => {}, warn: () => {} };

/** A world in which servers trace; what they told is there when it is over. */
async function tracedWorld(
  run: (simulation: Simulation) => Promise<void>,
  options: WorldOptions = {},
): Promise<readonly ReceivedSpan[]> {
  const receiver = await TraceReceiver.start();
  const tracings: Tracing[] = [];
  const { simulation, end } = await simulate('sqlite', {
    ...options,
    tracer: clock => {
      const tracing = startOpenTelemetry({ endpoint: receiver.url, headers: {}, clock, log: silent });
      tracings.push(tracing);
      return tracing.tracer;
    },
  });
  try {
    await run(simulation);
    for (const { stop } of tracings) await stop();
    return receiver.spans;
  } finally {
    await end();
    await receiver.stop();
  }
}

/** Starts an operation by a request that is traced. */
async function startTraced({ ports }: Simulation, kind: OperationKind): Promise<string> {
  const request = { cluster: toRecordName('c'), kind, version: '', idempotencyKey: null, policyInput: {} };
  const started = await startOperation(ports, { ...LOCAL_ACTOR, trace: REQUEST }, request);
  if (started instanceof AppError) throw new Error(started.detail);
  return started.record.id;
}

const [FIRST, SECOND] = addresses(2) as [Address, Address];

test('goes on by another server, in the same trace, with the times at which things were done', async () => {
  let takenOverMs = 0;
  const spans = await tracedWorld(async simulation => {
    const doomed = await simulation.startServer({ isShared: true });
    const cluster = await operatedCluster(simulation, [FIRST, SECOND], { bootMs: BOOT_MS });
    const id = await startTraced(simulation, 'restart');
    await cluster.inPhase(id, FIRST, 'rebooting');
    doomed.control.kill();
    takenOverMs = simulation.clock.now();
    await simulation.startServer({ isShared: true });
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done done');
  });
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
  const paths = (since: number, host: string) =>
    spans
      .filter(({ beginMs, attributes }) => beginMs >= since && attributes['server.address'] === host)
      .map(span => pathTo(span, spans));
  expect(paths(0, FIRST)).toContain('task stage > step preflight > connect');
  expect(paths(takenOverMs, FIRST)).toContain('task rollout > step verify > run sh');
  expect(spans.map(span => pathTo(span, spans))).toContain(
    'task rollout > step cordon > container manager cordon',
  );
  // It had to wait for the other to boot.
  const rolled = spans.filter(({ attributes }) => attributes['hostler.host'] === SECOND);
  const begins = rolled.map(({ beginMs }) => beginMs).toSorted((one, other) => one - other);
  expect((begins.at(-1) ?? 0) - (begins[0] ?? 0)).toBeGreaterThan(BOOT_MS);
});

const APPLY_MS = 90_000;
const SLOW = 'a slow debian';
const slowApt: CommandSimulator = {
  templates: Object.fromEntries(
    Object.entries(simulatedApt.templates).map(([os, one]) => [`a slow ${os}`, one]),
  ),
  execute: (machine, argv, caller) => {
    const answer = simulatedApt.execute(machine, argv, caller);
    const isApplying =
      argv.includes('upgrade') && !argv.some(word => /^--(simulate|download-only)$/.test(word));
    return answer && isApplying ? { ...answer, durationMs: APPLY_MS } : answer;
  },
};

test('has a span for each job, from its beginning to its end, with the code that its command ended with', async () => {
  let beganMs = 0;
  const spans = await tracedWorld(
    async simulation => {
      const doomed = await simulation.startServer({ isShared: true });
      const cluster = await operatedCluster(simulation, [FIRST], { os: SLOW, hasManager: false });
      const host = simulation.fleet.host(FIRST);
      host.addFault({
        kind: 'exit',
        exitCode: 100,
        stderr: 'no room',
        on: /^sh .*--download-only/s,
        times: 1,
      });
      const id = await startTraced(simulation, 'upgrade');
      await cluster.inPhase(id, FIRST, 'applying');
      beganMs = simulation.clock.now();
      await simulation.clock.advance(APPLY_MS / 3);
      doomed.control.kill();
      // It ends while nobody looks.
      await simulation.clock.advance(2 * APPLY_MS);
      await simulation.startServer({ isShared: true });
      await cluster.ended(id);
      expect(await cluster.phases(id)).toBe('done');
    },
    { fakes: [withCommonCommands(slowApt)] },
  );
  const jobs = spans.filter(({ name }) => name.startsWith('job '));
  const inShort = (span: ReceivedSpan) => {
    const { 'process.exit.code': code, 'error.type': problem = 'ok' } = span.attributes;
    return `${pathTo(span, spans)}: ${code} ${problem}`;
  };
  // The last but one stands without the step that the dead server was at, and is not told again by the one that reads its end once more.
  expect(jobs.map(inShort)).toEqual([
    'task stage > step stage > job sh: 0 ok',
    'task stage > step stage > job sh: 100 command_failed',
    'task stage > step stage > job sh: 0 ok',
    'task stage > step stage > job sh: 0 ok',
    'job sh: 0 ok',
    'task rollout > step apply > job apt-get: 0 ok',
  ]);
  expect(jobs.filter(({ isError }) => isError)).toHaveLength(1);
  const [apply] = jobs.slice(-1) as [ReceivedSpan];
  // Hosts tell times in whole seconds.
  expect(Math.abs(apply.beginMs - beganMs)).toBeLessThan(1500);
  expect(Math.abs(apply.endMs - beganMs - APPLY_MS)).toBeLessThan(1500);
  expect(JSON.stringify(spans)).not.toMatch(/no room|download-only/);
});

test('is short, however long a host takes to boot', async () => {
  const spans = await tracedWorld(async simulation => {
    await simulation.startServer();
    const cluster = await operatedCluster(simulation, [FIRST], { hasManager: false, bootMs: 3 * MINUTE });
    await cluster.ended(await startTraced(simulation, 'restart'));
  });
  const waits = spans.filter(({ name }) => name === 'step wait_for_reboot');
  const told = waits.map(({ attributes: { 'hostler.outcome': outcome, 'hostler.error_code': problem } }) => [
    outcome,
    problem,
  ]);
  expect(told).toEqual([
    ['retry', 'waiting_for_shutdown'],
    ['retry', 'waiting_for_boot'],
    // One of many, so that the wait is seen to go on.
    ['retry', 'waiting_for_boot'],
    ['done', undefined],
  ]);
  const untold = waits.map(({ attributes }) => Number(attributes['hostler.suppressed_attempts'] ?? 0));
  expect(untold.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
  expect(spans.length).toBeLessThan(40);
});

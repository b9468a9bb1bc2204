// Traces of operations across server crashes. The clock is simulated, so spans have realistic times.

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
import { spanPath, TraceReceiver } from '../harness/monitoring/trace-receiver.ts';
import { simulate } from '../harness/simulation/simulate.ts';
import type { Simulation } from '../harness/simulation/simulation.ts';
import type { SimulationOptions } from '../harness/simulation/simulation-options.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';
import { addresses, createSimulatedCluster } from './operations/simulated-cluster.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const REQUEST = `00-${TRACE_ID}-b7ad6b7169203331-01`;
const BOOT_MS = 120_000;
const silent = { info: () => {}, warn: () => {} };

/** Runs a simulation with tracing and returns the received spans. */
async function simulateWithTracing(
  run: (simulation: Simulation) => Promise<void>,
  options: SimulationOptions = {},
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

/** Starts an operation with the trace context of a request. */
async function startTraced({ ports }: Simulation, kind: OperationKind): Promise<string> {
  const request = { cluster: toRecordName('c'), kind, version: '', idempotencyKey: null, policyInput: {} };
  const started = await startOperation(ports, { ...LOCAL_ACTOR, trace: REQUEST }, request);
  if (started instanceof AppError) throw new Error(started.detail);
  return started.record.id;
}

const [FIRST, SECOND] = addresses(2) as [Address, Address];

test('the trace of an operation continues on another server with correct times', async () => {
  let takenOverMs = 0;
  const spans = await simulateWithTracing(async simulation => {
    const firstServer = await simulation.startServer({ isShared: true });
    const cluster = await createSimulatedCluster(simulation, [FIRST, SECOND], { bootMs: BOOT_MS });
    const id = await startTraced(simulation, 'restart');
    await cluster.untilPhase(id, FIRST, 'rebooting');
    firstServer.control.inject('kill_server');
    takenOverMs = simulation.clock.now();
    await simulation.startServer({ isShared: true });
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done done');
  });
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
  const paths = (since: number, host: string) =>
    spans
      .filter(({ startMs, attributes }) => startMs >= since && attributes['server.address'] === host)
      .map(span => spanPath(span, spans));
  expect(paths(0, FIRST)).toContain('task stage > step preflight > connect');
  expect(paths(takenOverMs, FIRST)).toContain('task rollout > step verify > run sh');
  expect(spans.map(span => spanPath(span, spans))).toContain('task rollout > step cordon > container manager cordon');
  // The second host waited for the first to boot.
  const rolloutSpans = spans.filter(({ attributes }) => attributes['hostler.host'] === SECOND);
  const starts = rolloutSpans.map(({ startMs }) => startMs).toSorted((one, other) => one - other);
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(BOOT_MS);
});

const APPLY_MS = 90_000;
const SLOW = 'a slow debian';
const slowApt: CommandSimulator = {
  templates: Object.fromEntries(Object.entries(simulatedApt.templates).map(([os, one]) => [`a slow ${os}`, one])),
  execute: (machine, argv, caller) => {
    const result = simulatedApt.execute(machine, argv, caller);
    const isApplying = argv.includes('upgrade') && !argv.some(word => /^--(simulate|download-only)$/.test(word));
    return result && isApplying ? { ...result, durationMs: APPLY_MS } : result;
  },
};

test('the trace of an operation has a span per job with its start, end and exit code', async () => {
  let startedMs = 0;
  const spans = await simulateWithTracing(
    async simulation => {
      const firstServer = await simulation.startServer({ isShared: true });
      const cluster = await createSimulatedCluster(simulation, [FIRST], { os: SLOW, hasManager: false });
      const host = simulation.fleet.host(FIRST);
      host.addFault({
        kind: 'exit',
        exitCode: 100,
        stderr: 'no space',
        on: /^sh .*--download-only/s,
        times: 1,
      });
      const id = await startTraced(simulation, 'upgrade');
      await cluster.untilPhase(id, FIRST, 'applying');
      startedMs = simulation.clock.now();
      await simulation.clock.advance(APPLY_MS / 3);
      firstServer.control.inject('kill_server');
      // The job ends while no server runs.
      await simulation.clock.advance(2 * APPLY_MS);
      await simulation.startServer({ isShared: true });
      await cluster.untilEnded(id);
      expect(await cluster.phases(id)).toBe('done');
    },
    { simulators: [withCommonCommands(slowApt)] },
  );
  const jobs = spans.filter(({ name }) => name.startsWith('job '));
  const describeSpan = (span: ReceivedSpan) => {
    const { 'process.exit.code': code, 'error.type': problem = 'ok' } = span.attributes;
    return `${spanPath(span, spans)}: ${code} ${problem}`;
  };
  // The server died before it exported the step of the last job but one, so the span has no parent. The next
  // server reads the end of this job again and must not export it twice.
  expect(jobs.map(describeSpan)).toEqual([
    'task stage > step stage > job sh: 0 ok',
    'task stage > step stage > job sh: 100 command_failed',
    'task stage > step stage > job sh: 0 ok',
    'task stage > step stage > job sh: 0 ok',
    'job sh: 0 ok',
    'task rollout > step apply > job apt-get: 0 ok',
  ]);
  expect(jobs.filter(({ isError }) => isError)).toHaveLength(1);
  const [apply] = jobs.slice(-1) as [ReceivedSpan];
  // Hosts report times in whole seconds.
  expect(Math.abs(apply.startMs - startedMs)).toBeLessThan(1500);
  expect(Math.abs(apply.endMs - startedMs - APPLY_MS)).toBeLessThan(1500);
  expect(JSON.stringify(spans)).not.toMatch(/no space|download-only/);
});

test('the trace of an operation stays small when a host boots slowly', async () => {
  const spans = await simulateWithTracing(async simulation => {
    await simulation.startServer();
    const cluster = await createSimulatedCluster(simulation, [FIRST], { hasManager: false, bootMs: 3 * MINUTE });
    await cluster.untilEnded(await startTraced(simulation, 'restart'));
  });
  const waits = spans.filter(({ name }) => name === 'step wait_for_reboot');
  const outcomes = waits.map(({ attributes: { 'hostler.outcome': outcome, 'hostler.error_code': problem } }) => [
    outcome,
    problem,
  ]);
  expect(outcomes).toEqual([
    ['retry', 'waiting_for_shutdown'],
    ['retry', 'waiting_for_boot'],
    // Repeats are sampled to show that the wait continues.
    ['retry', 'waiting_for_boot'],
    ['done', undefined],
  ]);
  const suppressed = waits.map(({ attributes }) => Number(attributes['hostler.suppressed_attempts'] ?? 0));
  expect(suppressed.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
  expect(spans.length).toBeLessThan(40);
});

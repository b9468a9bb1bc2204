import { beforeEach, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { EngineMetrics } from '../../src/engine/ports.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';
import { addresses, createSimulatedCluster } from './operations/simulated-cluster.ts';

const HOSTS = addresses(3);
const [HOST] = HOSTS as [Address, ...Address[]];

const recorded: string[] = [];
const count = (line: string) => recorded.filter(entry => entry === line).length;
const metrics: EngineMetrics = {
  runStarted: kind => recorded.push(`${kind} started`),
  runEnded: kind => recorded.push(`${kind} ended`),
  claimLost: kind => recorded.push(`${kind} lost`),
  runErrored: kind => recorded.push(`${kind} failed`),
  leaseLost: () => recorded.push('lease lost'),
  takeoverDone: () => recorded.push('took over'),
  jobEnded: result => recorded.push(`job ${result}`),
  stepEnded: (task, step, outcome) => recorded.push(`${task} ${step} ${outcome}`),
  checkEnded: (result, seconds) => recorded.push(`check ${result}${seconds < 0 ? ' too soon' : ''}`),
  operationEnded: (kind, state) => recorded.push(`${kind} ${state}`),
};

describeSimulation('the metrics of the engine', { per: 'test', kinds: ['sqlite'], metrics }, simulation => {
  beforeEach(() => void recorded.splice(0));

  test('count runs, retries, checks by result, and operations', async () => {
    const { clock, fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), HOSTS, { hasManager: false });
    expect(count('bootstrap wait_for_ssh done')).toBe(HOSTS.length);
    await clock.advance(2 * MINUTE);
    expect(count('check passed')).toBeGreaterThanOrEqual(HOSTS.length);
    fleet.host(HOST).addFault({ kind: 'unreachable', times: 1 });
    await clock.advance(MINUTE);
    expect(count('check unreachable')).toBe(1);
    fleet.host(HOST).addFault({ kind: 'unreachable', times: 1 });
    const id = await cluster.start('restart');
    await cluster.until(async () => (await cluster.operation(id))?.state === 'finished');
    expect(count('restart finished')).toBe(1);
    expect(recorded.some(line => / retry$/.test(line))).toBe(true);
    fleet.host(HOST).addFault({ kind: 'key_changed' });
    await clock.advance(2 * MINUTE);
    expect(count('check failed')).toBe(1);
    expect(count('task ended')).toBe(count('task started'));
  });

  test('count failed runs, lost leases and takeovers', async () => {
    const { control: frozen } = await simulation().startServer({ isShared: true });
    await simulation().enrolHosts([HOST]);
    await simulation().clock.advanceUntil(async () => count('bootstrap wait_for_ssh done') > 0, MINUTE);
    frozen.inject('cut_store', { times: 1 });
    await simulation().clock.advanceUntil(async () => count('task failed') > 0, MINUTE);
    frozen.inject('freeze_server');
    await simulation().startServer({ isShared: true });
    await simulation().waitForStatus(HOST, 'disassociated', 10 * MINUTE);
    expect(count('took over')).toBe(1);
    frozen.revert('freeze_server');
    await simulation().clock.advance(MINUTE);
    expect(count('lease lost')).toBe(1);
  });
});

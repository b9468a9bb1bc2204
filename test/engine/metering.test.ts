// What the engine tells whoever counts: of checks, of steps that are tried again, and of servers that lose what they had.

import { beforeEach, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { EngineMetrics } from '../../src/engine/ports.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';
import { addresses, operatedCluster } from './operations/operated-cluster.ts';

const HOSTS = addresses(3);
const [HOST] = HOSTS as [Address, ...Address[]];

const told: string[] = [];
const times = (line: string) => told.filter(each => each === line).length;
const metrics: EngineMetrics = {
  runStarted: kind => told.push(`${kind} began`),
  runEnded: kind => told.push(`${kind} ended`),
  claimLost: kind => told.push(`${kind} lost`),
  runErrored: kind => told.push(`${kind} broke`),
  leaseLost: () => told.push('lease lost'),
  takeoverDone: () => told.push('took over'),
  jobEnded: result => told.push(`job ${result}`),
  stepEnded: (work, step, outcome) => told.push(`${work} ${step} ${outcome}`),
  checkEnded: (result, seconds) => told.push(`check ${result}${seconds < 0 ? ' too soon' : ''}`),
  operationEnded: (kind, state) => told.push(`${kind} ${state}`),
};

simulateOnEachStore('the metrics of the engine', { per: 'test', kinds: ['sqlite'], metrics }, simulation => {
  beforeEach(() => void told.splice(0));

  test('is told of turns, of steps that are tried again, of checks by what they find, and of operations', async () => {
    const { clock, fleet } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), HOSTS, { hasManager: false });
    expect(times('bootstrap wait_for_ssh done')).toBe(HOSTS.length);
    await clock.advance(2 * MINUTE);
    expect(times('check passed')).toBeGreaterThanOrEqual(HOSTS.length);
    fleet.host(HOST).addFault({ kind: 'unreachable', times: 1 });
    await clock.advance(MINUTE);
    expect(times('check unreachable')).toBe(1);
    fleet.host(HOST).addFault({ kind: 'unreachable', times: 1 });
    const id = await cluster.start('restart');
    await cluster.until(async () => (await cluster.operation(id))?.state === 'finished');
    expect(times('restart finished')).toBe(1);
    expect(told.some(line => / retry$/.test(line))).toBe(true);
    fleet.host(HOST).addFault({ kind: 'key_changed' });
    await clock.advance(2 * MINUTE);
    expect(times('check failed')).toBe(1);
    expect(times('task ended')).toBe(times('task began'));
  });

  test('is told when a turn breaks, when a server loses its lease, and when another takes over', async () => {
    const { control: sleeper } = await simulation().startServer({ isShared: true });
    await simulation().enrolMachines([HOST]);
    await simulation().clock.advanceUntil(async () => times('bootstrap wait_for_ssh done') > 0, MINUTE);
    sleeper.cutOffStore(1);
    await simulation().clock.advanceUntil(async () => times('task broke') > 0, MINUTE);
    sleeper.freeze();
    await simulation().startServer({ isShared: true });
    await simulation().until(HOST, 'disassociated', 10 * MINUTE);
    expect(times('took over')).toBe(1);
    sleeper.thaw();
    await simulation().clock.advance(MINUTE);
    expect(times('lease lost')).toBe(1);
  });
});

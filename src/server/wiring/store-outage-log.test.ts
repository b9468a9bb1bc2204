import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { Log } from '../../lib/log.ts';
import { StoreOutageLog } from './store-outage-log.ts';

const SECOND = 1000;
const MINUTE = 60_000;
const storeUnavailable = () => new StoreUnavailableError(new Error('connect ECONNREFUSED 127.0.0.1:5432'));
const STARTED = 'error store unavailable; retrying';
const CONTINUES = 'error store still unavailable';
const ENDED = 'warn store available again';

let clock: VirtualClock;
let lines: Record<string, unknown>[];
let isUnavailable = false;
let outage: StoreOutageLog;
let log: Log;

beforeEach(() => {
  clock = new VirtualClock();
  lines = [];
  isUnavailable = true;
  outage = new StoreOutageLog({
    log: pino({ level: 'info', base: null }, { write: line => lines.push(JSON.parse(line)) }),
    clock,
    probeStore: async () => {
      if (isUnavailable) throw storeUnavailable();
    },
  });
  log = outage.wrapLog();
});

/** Logs a failure each second. */
async function failFor(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += SECOND) {
    log.error({ err: storeUnavailable() }, 'request failed, retrying');
    await clock.advance(SECOND);
  }
}

const messages = () => lines.map(({ level, msg }) => `${pino.levels.labels[Number(level)]} ${msg}`);

describe('a store outage', () => {
  test('is logged at its start, once a minute and at its end, with reason and counts but without a stack', async () => {
    await failFor(2.5 * MINUTE);
    isUnavailable = false;
    await clock.advance(MINUTE);
    expect(messages()).toEqual([STARTED, CONTINUES, CONTINUES, ENDED]);
    const problem = 'connect ECONNREFUSED 127.0.0.1:5432';
    expect(lines).toMatchObject([
      { problem },
      { problem, failures: 61, seconds: 60 },
      { problem, failures: 121, seconds: 120 },
      { failures: 150, seconds: 149 },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/stack|\bat /);
    expect(clock.pending).toBe(0);
  });

  test('is still logged if only the probe uses the store, and ends soon after the recovery', async () => {
    log.warn({ err: storeUnavailable() }, 'failed to renew the lease');
    await clock.advance(90 * SECOND);
    expect(messages()).toEqual([STARTED, CONTINUES]);
    isUnavailable = false;
    await clock.advance(10 * SECOND);
    expect(messages()).toEqual([STARTED, CONTINUES, ENDED]);
  });

  test('does not end while probes succeed but other writes fail', async () => {
    isUnavailable = false;
    for (let heartbeats = 0; heartbeats < 10; heartbeats += 1) {
      log.error({ err: storeUnavailable() }, 'x');
      await clock.advance(5 * SECOND);
    }
    expect(messages()).toEqual([STARTED]);
  });

  test('is logged at most once a minute if it recurs', async () => {
    for (let times = 0; times < 10; times += 1) {
      isUnavailable = true;
      await failFor(2 * SECOND);
      isUnavailable = false;
      await clock.advance(18 * SECOND);
    }
    expect(messages()).toEqual([STARTED, ENDED, STARTED, ENDED, STARTED, ENDED, STARTED, ENDED]);
  });

  test('is not probed after the stop', async () => {
    log.error({ err: storeUnavailable() }, 'x');
    outage.stop();
    expect(clock.pending).toBe(0);
  });
});

test('StoreOutageLog passes all other lines unchanged', () => {
  log.error({ err: new Error('odd'), host: 'h' }, 'task run failed');
  log.warn('partitioned');
  log.info({ err: storeUnavailable() }, 'logged as info');
  expect(messages()).toEqual(['error task run failed', 'warn partitioned', 'info logged as info']);
  expect(lines[0]).toMatchObject({ host: 'h', err: { message: 'odd', stack: expect.any(String) } });
});

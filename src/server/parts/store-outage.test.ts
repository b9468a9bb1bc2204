import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { Log } from '../../lib/log.ts';
import { VirtualClock } from '../../lib/time/virtual-clock.ts';
import { StoreOutage } from './store-outage.ts';

const SECOND = 1000;
const MINUTE = 60_000;
const away = () => new StoreUnavailableError(new Error('connect ECONNREFUSED 127.0.0.1:5432'));
const BEGUN = 'error store unavailable; retrying';
const STILL = 'error store still unavailable';
const OVER = 'warn store available again';

let clock: VirtualClock;
let lines: Record<string, unknown>[];
let isAway = false;
let outage: StoreOutage;
let log: Log;

beforeEach(() => {
  clock = new VirtualClock();
  lines = [];
  isAway = true;
  const logger = pino({ level: 'info', base: null }, { write: line => lines.push(JSON.parse(line)) });
  outage = new StoreOutage({
    log: Object.assign(logger, { writeInfo: (fields: string) => lines.push(JSON.parse(`{${fields}}`)) }),
    clock,
    ask: async () => {
      if (isAway) throw away();
    },
  });
  log = outage.quietLog();
});

/** Something fails each second, for as long as the store is away. */
async function failFor(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += SECOND) {
    log.error({ err: away() }, 'something could not be done; it is tried again');
    await clock.advance(SECOND);
  }
}

const told = () => lines.map(({ level, msg }) => `${pino.levels.labels[Number(level)]} ${msg}`);

describe('a store that is away', () => {
  test('is told when it begins, once a minute and when it is over, with reasons and counts but no stack', async () => {
    await failFor(2.5 * MINUTE);
    isAway = false;
    await clock.advance(MINUTE);
    expect(told()).toEqual([BEGUN, STILL, STILL, OVER]);
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

  test('is told on while nobody but we ask, and soon after it is back', async () => {
    log.warn({ err: away() }, 'failed to renew the lease');
    await clock.advance(90 * SECOND);
    expect(told()).toEqual([BEGUN, STILL]);
    isAway = false;
    await clock.advance(10 * SECOND);
    expect(told()).toEqual([BEGUN, STILL, OVER]);
  });

  test('is not over while it answers who asks and fails who writes', async () => {
    isAway = false;
    for (let beats = 0; beats < 10; beats += 1) {
      log.error({ err: away() }, 'x');
      await clock.advance(5 * SECOND);
    }
    expect(told()).toEqual([BEGUN]);
  });

  test('again and again is told of no more than once a minute', async () => {
    for (let times = 0; times < 10; times += 1) {
      isAway = true;
      await failFor(2 * SECOND);
      isAway = false;
      await clock.advance(18 * SECOND);
    }
    expect(told()).toEqual([BEGUN, OVER, BEGUN, OVER, BEGUN, OVER, BEGUN, OVER]);
  });

  test('is not asked any more once the service stops', async () => {
    log.error({ err: away() }, 'x');
    outage.stop();
    expect(clock.pending).toBe(0);
  });
});

test('all other lines are as they were', () => {
  log.error({ err: new Error('odd'), host: 'h' }, 'a turn broke');
  log.warn('partitioned');
  log.info({ err: away() }, 'told by choice');
  log.writeInfo('"level":30,"msg":"a request"');
  expect(told()).toEqual(['error a turn broke', 'warn partitioned', 'info told by choice', 'info a request']);
  expect(lines[0]).toMatchObject({ host: 'h', err: { message: 'odd', stack: expect.any(String) } });
});

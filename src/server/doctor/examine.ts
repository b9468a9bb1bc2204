import { existsSync } from 'node:fs';
import { messageOf } from '../../lib/errors/message-of.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import { inTime } from '../../lib/time/sleep.ts';
import { storeFileIn } from '../../store/sqlite/open-sqlite.ts';
import type { Store } from '../../store/store.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { readConfig } from '../configuration/config.ts';
import type { Config } from '../configuration/settings.ts';
import { visitStore } from '../parts/open-store.ts';
import type { Check, Finding, Premises } from './check.ts';
import { NoStoreYet, ok, problem, StoreNotOpen, warning } from './check.ts';
import { CHECKS } from './checks.ts';

const CHECK_WITHIN_MS = 30_000;

/** What a check has found. */
export interface Examined extends Finding {
  readonly check: string;
}

async function look(check: Check, premises: Premises, clock: AlarmClock): Promise<readonly Finding[]> {
  const wrong = check.settings.filter(key => premises.read.wrong.has(key));
  if (wrong.length > 0) return [warning(`skipped: no valid value for ${wrong.join(', ')}`)];
  try {
    return await inTime(
      clock,
      CHECK_WITHIN_MS,
      () => check.find(premises),
      `the check timed out after ${CHECK_WITHIN_MS / 1000} s`,
    );
  } catch (error) {
    if (error instanceof NoStoreYet) return [ok('no store yet')];
    return [
      error instanceof StoreNotOpen
        ? warning('skipped: the store cannot be opened')
        : problem(`the check failed: ${messageOf(error)}`),
    ];
  }
}

async function visit(config: Config): Promise<Store> {
  if (config.store.kind === 'sqlite' && !existsSync(storeFileIn(config.data)))
    throw new NoStoreYet(undefined);
  try {
    return await visitStore(config);
  } catch (error) {
    throw new StoreNotOpen(error);
  }
}

/** Goes through all checks, one after the other, and tells of each at once. */
export async function examine(
  sources: ConfigSources,
  clock: AlarmClock,
  tell: (found: Examined) => void,
): Promise<void> {
  const read = readConfig(sources);
  let opened: Promise<Store> | undefined;
  const store = () => {
    opened ??= visit(read.config);
    return opened;
  };
  const premises: Premises = { sources, read, config: read.config, clock, store };
  try {
    for (const check of CHECKS)
      for (const finding of await look(check, premises, clock)) tell({ check: check.name, ...finding });
  } finally {
    await opened?.then(
      each => each.close(),
      () => {},
    );
  }
}

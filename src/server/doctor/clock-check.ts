import { execFile } from 'node:child_process';
import { formatTimestamp, parseTimestamp, utcTime } from '../../domain/timestamp.ts';
import type { Store } from '../../store/store.ts';
import type { Check, Finding, Premises } from './check.ts';
import { ok, problem, StoreNotOpen, warning } from './check.ts';

/** No Hostler is older. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);
/** Servers on one store go by PostgreSQL's clock; what they log and whom they trust goes by their own. */
const MOST_DIFFERENCE_MS = 2000;
const MOST_BEHIND_LOG_MS = 60_000;
const WITHIN_MS = 3000;

/** Whether the system says that somebody sets its clock; `undefined`: it does not say. */
const isSynchronised = (path: string | undefined): Promise<boolean | undefined> =>
  new Promise(resolve => {
    const env = path === undefined ? {} : { PATH: path };
    const args = ['show', '--property=NTPSynchronized', '--value'];
    execFile('timedatectl', args, { timeout: WITHIN_MS, env }, (error, stdout) => {
      const answer = error ? '' : stdout.trim();
      resolve(answer === 'yes' ? true : answer === 'no' ? false : undefined);
    });
  });

async function findDifference({ reads, isShared }: Store, { clock }: Premises): Promise<Finding[]> {
  if (!isShared) return [];
  const beforeMs = clock.now();
  const theirsMs = await reads.nowMs();
  const aheadMs = (beforeMs + clock.now()) / 2 - theirsMs;
  if (Math.abs(aheadMs) <= MOST_DIFFERENCE_MS) return [];
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  return [
    warning(
      `the system clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of PostgreSQL; synchronize both with NTP`,
    ),
  ];
}

async function findBehindLog({ reads }: Store, { clock }: Premises): Promise<Finding[]> {
  const { items } = await reads.log.list({}, { limit: 1 });
  const [newest] = items;
  if (newest === undefined || parseTimestamp(newest.at) <= clock.now() + MOST_BEHIND_LOG_MS) return [];
  return [
    problem(
      `the system clock is behind: the audit log has an entry of ${utcTime(newest.at)}; correct the clock`,
    ),
  ];
}

async function findOnStore(premises: Premises): Promise<Finding[]> {
  try {
    const store = await premises.store();
    return [...(await findDifference(store, premises)), ...(await findBehindLog(store, premises))];
  } catch (error) {
    if (error instanceof StoreNotOpen) return [];
    throw error;
  }
}

export const clockCheck: Check = {
  name: 'clock',
  settings: ['store', 'data'],
  find: async premises => {
    const nowMs = premises.clock.now();
    const now = utcTime(formatTimestamp(nowMs));
    if (nowMs < EARLIEST_MS)
      return [problem(`the system clock shows ${now}, which is not plausible; correct the clock`)];
    const found = await findOnStore(premises);
    const isKept = await isSynchronised(premises.sources.environment['PATH']);
    if (isKept === false)
      found.push(warning('the system clock is not synchronized; enable NTP: timedatectl set-ntp true'));
    return found.length > 0 ? found : [ok(`${now}${isKept ? ', synchronized' : ''}`)];
  },
};

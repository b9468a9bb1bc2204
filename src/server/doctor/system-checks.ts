import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { formatTimestamp, parseTimestamp, utcTime } from '../../domain/timestamp.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { Store } from '../../store/store.ts';
import { checkOpenSshConfig } from '../wiring/create-drivers.ts';
import type { CheckContext, DoctorCheck, Finding } from './check.ts';
import { failure, ok, StoreOpenError, warning } from './check.ts';

/** Earlier than the first release of Hostler. */
const EARLIEST_PLAUSIBLE_MS = Date.UTC(2026, 0, 1);
/** Leases use the clock of PostgreSQL; log timestamps and certificate validity use the system clock. */
const MAX_SKEW_MS = 2000;
const MAX_BEHIND_LOG_MS = 60_000;
const TIMEDATECTL_TIMEOUT_MS = 3000;
const SSH_VERSION_TIMEOUT_MS = 5000;

/** `undefined` if the program is not installed or fails. */
const runProgram = (name: string, args: readonly string[], timeout: number, path: string | undefined) =>
  promisify(execFile)(name, args, { timeout, env: path === undefined ? {} : { PATH: path } }).catch(() => undefined);

/** `undefined` if the system does not report it. */
async function isClockSynchronized(path: string | undefined): Promise<boolean | undefined> {
  const args = ['show', '--property=NTPSynchronized', '--value'];
  const result = await runProgram('timedatectl', args, TIMEDATECTL_TIMEOUT_MS, path);
  const output = result?.stdout.trim();
  return output === 'yes' ? true : output === 'no' ? false : undefined;
}

async function checkClockSkew({ reads, isShared }: Store, { clock }: CheckContext): Promise<Finding[]> {
  if (!isShared) return [];
  const beforeMs = clock.now();
  const databaseMs = await reads.nowMs();
  const aheadMs = (beforeMs + clock.now()) / 2 - databaseMs;
  if (Math.abs(aheadMs) <= MAX_SKEW_MS) return [];
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  return [
    warning(
      `the system clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of PostgreSQL; synchronize both with NTP`,
    ),
  ];
}

async function checkAgainstLog({ reads }: Store, { clock }: CheckContext): Promise<Finding[]> {
  const { items } = await reads.eventLog.list({}, { limit: 1 });
  const [newest] = items;
  if (newest === undefined || parseTimestamp(newest.at) <= clock.now() + MAX_BEHIND_LOG_MS) return [];
  return [
    failure(`the system clock is behind: the audit log has an entry of ${utcTime(newest.at)}; correct the clock`),
  ];
}

async function checkAgainstStore(context: CheckContext): Promise<Finding[]> {
  try {
    const store = await context.store();
    return [...(await checkClockSkew(store, context)), ...(await checkAgainstLog(store, context))];
  } catch (error) {
    if (error instanceof StoreOpenError) return [];
    throw error;
  }
}

export const clockCheck: DoctorCheck = {
  name: 'clock',
  requiredSettings: ['store', 'data'],
  run: async context => {
    const nowMs = context.clock.now();
    const now = utcTime(formatTimestamp(nowMs));
    if (nowMs < EARLIEST_PLAUSIBLE_MS)
      return failure(`the system clock shows ${now}, which is not plausible; correct the clock`);
    const findings = await checkAgainstStore(context);
    const isSynchronized = await isClockSynchronized(context.sources.environment['PATH']);
    if (isSynchronized === false)
      findings.push(warning('the system clock is not synchronized; enable NTP: timedatectl set-ntp true'));
    return findings.length > 0 ? findings : ok(`${now}${isSynchronized ? ', synchronized' : ''}`);
  },
};

export const opensshCheck: DoctorCheck = {
  name: 'OpenSSH',
  requiredSettings: ['transport', 'openssh_config'],
  run: async ({ config, sources }) => {
    const configError = checkOpenSshConfig(config);
    if (configError !== undefined) return failure(`${configError}; the server does not start without it`);
    const result = await runProgram('ssh', ['-V'], SSH_VERSION_TIMEOUT_MS, sources.environment['PATH']);
    // Begins with the version, such as OpenSSH_9.2p1.
    if (result) return ok(`${sanitizeLine(result.stderr.split(/[ ,]/)[0] ?? '')} is installed`);
    return config.transport === 'openssh'
      ? failure('ssh is not installed, but the transport openssh needs it; install the package openssh-client')
      : ok('ssh is not installed; only the transport openssh needs it');
  },
};

import { existsSync } from 'node:fs';
import { styleText } from 'node:util';
import { errorMessage, OperatorError } from '../../lib/errors.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import { systemClock, withTimeout } from '../../lib/time/clock.ts';
import { storeFilePath } from '../../store/sqlite/open-sqlite.ts';
import type { Store } from '../../store/store.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { readConfig } from '../configuration/config.ts';
import type { Config } from '../configuration/settings.ts';
import { printLine } from '../process.ts';
import { attachStore } from '../wiring/open-store.ts';
import type { CheckContext, DoctorCheck, Finding, Severity } from './check.ts';
import { failure, ok, StoreMissingError, StoreOpenError, warning } from './check.ts';
import { configurationCheck, dataFolderCheck, secretKeyCheck } from './configuration-checks.ts';
import { hostsCheck, reachabilityCheck } from './host-checks.ts';
import { certificateCheck, listenCheck } from './listen-checks.ts';
import { logCheck, storeCheck } from './store-checks.ts';
import { clockCheck, opensshCheck } from './system-checks.ts';

/** Sorted by dependency: a check comes after the checks that it depends on. */
export const DOCTOR_CHECKS: readonly DoctorCheck[] = [
  configurationCheck,
  dataFolderCheck,
  storeCheck,
  secretKeyCheck,
  clockCheck,
  certificateCheck,
  listenCheck,
  opensshCheck,
  logCheck,
  hostsCheck,
  reachabilityCheck,
];

const CHECK_TIMEOUT_MS = 30_000;

export interface DoctorFinding extends Finding {
  readonly check: string;
}

async function runCheck(
  check: DoctorCheck,
  context: CheckContext,
  clock: TimerClock,
): Promise<Finding | readonly Finding[]> {
  const invalidKeys = check.requiredSettings.filter(key => context.configResult.invalidKeys.has(key));
  if (invalidKeys.length > 0) return warning(`skipped: no valid value for ${invalidKeys.join(', ')}`);
  try {
    return await withTimeout(
      clock,
      CHECK_TIMEOUT_MS,
      () => check.run(context),
      `the check timed out after ${CHECK_TIMEOUT_MS / 1000} s`,
    );
  } catch (error) {
    if (error instanceof StoreMissingError) return ok('no store yet');
    if (error instanceof StoreOpenError) return warning('skipped: the store cannot be opened');
    if (error instanceof OperatorError) return failure(error.message);
    return failure(`the check failed: ${errorMessage(error)}`);
  }
}

async function attachExistingStore(config: Config): Promise<Store> {
  if (config.store.kind === 'sqlite' && !existsSync(storeFilePath(config.data))) throw new StoreMissingError(undefined);
  try {
    return await attachStore(config);
  } catch (error) {
    throw new StoreOpenError(error);
  }
}

export async function runChecks(
  sources: ConfigSources,
  clock: TimerClock,
  onFinding: (finding: DoctorFinding) => void,
): Promise<void> {
  const configResult = readConfig(sources);
  let opened: Promise<Store> | undefined;
  const store = () => {
    opened ??= attachExistingStore(configResult.config);
    return opened;
  };
  const context: CheckContext = { sources, configResult, config: configResult.config, clock, store };
  try {
    for (const check of DOCTOR_CHECKS)
      for (const finding of [await runCheck(check, context, clock)].flat())
        onFinding({ check: check.name, ...finding });
  } finally {
    await opened?.then(
      each => each.close(),
      () => {},
    );
  }
}

const SEVERITY_COLOURS = { ok: 'green', warning: 'yellow', error: 'red' } as const satisfies Record<Severity, string>;
const SEVERITY_WIDTH = Math.max(...Object.keys(SEVERITY_COLOURS).map(severity => severity.length));
const NAME_WIDTH = Math.max(...DOCTOR_CHECKS.map(({ name }) => name.length));
const MAX_DETAIL_LENGTH = 2000;

function formatFinding({ severity, check, detail }: DoctorFinding): string {
  const colored = styleText(SEVERITY_COLOURS[severity], severity.padEnd(SEVERITY_WIDTH), { stream: process.stdout });
  return `${colored}  ${check.padEnd(NAME_WIDTH)}  ${sanitizeLine(detail, MAX_DETAIL_LENGTH)}`;
}

/** `hostler doctor`. Works with a running and a stopped server. */
export async function runDoctor(sources: ConfigSources, { isJson }: { readonly isJson: boolean }): Promise<void> {
  const findings: DoctorFinding[] = [];
  await runChecks(sources, systemClock, finding => {
    findings.push(finding);
    if (!isJson) printLine(formatFinding(finding));
  });
  const isOk = findings.every(({ severity }) => severity !== 'error');
  if (isJson) printLine(JSON.stringify({ ok: isOk, checks: findings }, null, 2));
  if (!isOk) process.exitCode = 1;
}

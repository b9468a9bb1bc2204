// `hostler doctor` checks everything that the server on this machine depends on. Invariants: it changes
// nothing, it works with a running and a stopped server, and a failed check does not stop the other checks.

import type { Clock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import type { ConfigResult, ConfigSources } from '../configuration/config.ts';
import type { Config, SettingKey } from '../configuration/settings.ts';

export type Severity = 'ok' | 'warning' | 'error';

export interface Finding {
  readonly severity: Severity;
  /** The observation and, if something is wrong, how to fix it. */
  readonly detail: string;
}

export const ok = (detail: string): Finding => ({ severity: 'ok', detail });
export const warning = (detail: string): Finding => ({ severity: 'warning', detail });
export const failure = (detail: string): Finding => ({ severity: 'error', detail });

export interface CheckContext {
  readonly sources: ConfigSources;
  readonly configResult: ConfigResult;
  readonly config: Config;
  readonly clock: Clock;
  /** Opens the store at the first call. Throws StoreOpenError. */
  store(): Promise<Store>;
}

/** The check of the store reports the cause. Other checks only report that they were skipped. */
export class StoreOpenError extends Error {
  constructor(cause: unknown) {
    super('the store cannot be opened', { cause });
  }
}

/** The first start creates the store. */
export class StoreMissingError extends StoreOpenError {}

export interface DoctorCheck {
  readonly name: string;
  /** If one of these settings is invalid, the check is skipped. */
  readonly requiredSettings: readonly SettingKey[];
  /** An OperatorError is reported as a failure. */
  run(context: CheckContext): Promise<Finding | readonly Finding[]>;
}

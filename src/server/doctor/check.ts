// `hostler doctor` looks at everything that the service on this machine stands on, and says what is wrong and what to do. What must hold:
// it changes nothing, works whether the service runs or not, and one check that fails stops no other.

import type { Clock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import type { ConfigResult, ConfigSources } from '../configuration/config.ts';
import type { Config, SettingKey } from '../configuration/settings.ts';

export type Severity = 'ok' | 'warning' | 'error';

export interface Finding {
  readonly severity: Severity;
  /** What is the case and, where something is wrong, what to do about it. */
  readonly detail: string;
}

export const ok = (detail: string): Finding => ({ severity: 'ok', detail });
export const warning = (detail: string): Finding => ({ severity: 'warning', detail });
export const failure = (detail: string): Finding => ({ severity: 'error', detail });

/** What checks look at. */
export interface CheckContext {
  readonly sources: ConfigSources;
  readonly configResult: ConfigResult;
  readonly config: Config;
  readonly clock: Clock;
  /** Opened at the first asking; throws `StoreNotOpen`. */
  store(): Promise<Store>;
}

/** The check of the store itself has told why. */
export class StoreOpenError extends Error {
  constructor(cause: unknown) {
    super('the store cannot be opened', { cause });
  }
}

/** The first start makes it. */
export class StoreMissingError extends StoreOpenError {}

export interface DoctorCheck {
  readonly name: string;
  /** What it goes by: if one of these is wrong, there is nothing to look at. */
  readonly requiredSettings: readonly SettingKey[];
  run(context: CheckContext): Promise<readonly Finding[]>;
}

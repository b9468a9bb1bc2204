import type { RecordName } from '../record-name.ts';
import type { CheckResult } from '../vocabulary.ts';
import type { HostFacts } from './host-facts.ts';
import type { HostCause } from './host-status.ts';
import type { ReasonText } from './reason-text.ts';

/** What was found out about a host, or happened to it: what the engine writes, and nothing else. */
export interface Learned {
  /** The key that it showed at the first contact; from now on it is held to it. */
  readonly hostKey?: string;
  /** A key that it showed instead of those it is held to; null: it shows one of those again. */
  readonly offeredKey?: string | null;
  readonly facts?: Partial<HostFacts>;
  /** How a check of it ended; null: that is put down to the server, and says nothing of the host. Left out: it was not checked. */
  readonly check?: CheckResult | null;
  /** The container manager that has it as a node now. */
  readonly registeredWith?: RecordName;
  /** What moves it to another status, and why; the reason counts for `failed` and `unreachable`. */
  readonly cause?: HostCause;
  readonly reason?: ReasonText;
}

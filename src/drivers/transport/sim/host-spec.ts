import type { Secret } from '../../../domain/secret.ts';
import type { Fault } from './faults.ts';

/** What a pretend host is like. Many hosts may share one. */
export interface HostSpec {
  /** One of the `os` that the fakes have a blueprint of. */
  readonly os: string;
  readonly hostname?: string;
  /** The only user who is let in. Default: every user. */
  readonly user?: string;
  /** The private keys that let in. Default: every key. */
  readonly acceptedKeys?: readonly Secret[];
  /** Whether sudo asks users for no password. Default: it asks for none. */
  readonly canSudo?: boolean;
  /** Added to every connecting and every command. */
  readonly latencyMs?: number;
  readonly bootMs?: number;
  readonly faults?: readonly Fault[];
}
